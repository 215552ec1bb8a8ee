import { dirname, join } from 'node:path';
import { contentOf } from './kernel-files.ts';

/** Memory of the machine, or of this process's control group where its limit is lower. In bytes. */
export interface MachineMemory {
  readonly total: number;
  /** Bytes that can be allocated without swapping. */
  readonly available: number;
}

/** Reads `/proc` and `/sys` below `root`, which is `/` except in tests. Throws if the machine does not report these figures. */
export function machineMemory(root = '/'): MachineMemory {
  const machine = memoryOfMachine(root);
  const rooms = [machine, ...groupsOf(root).flatMap((group) => memoryOfGroup(group))];
  return {
    total: Math.min(...rooms.map(({ total }) => total)),
    available: Math.min(...rooms.map(({ available }) => available)),
  };
}

function memoryOfMachine(root: string): MachineMemory {
  const text = contentOf(join(root, 'proc/meminfo')) ?? '';
  const said = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024;
  const memory = { total: said('MemTotal'), available: said('MemAvailable') };
  if (Number.isNaN(memory.total + memory.available)) throw new Error('/proc/meminfo has no MemAvailable.');
  return memory;
}

interface Group {
  readonly directory: string;
  readonly files: { readonly limit: string; readonly usage: string; readonly cache: RegExp };
}

/** Limit of a group, its use, and how much of the use is reclaimable file cache. */
const versions = {
  1: { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', cache: /^total_inactive_file (\d+)/m },
  2: { limit: 'memory.max', usage: 'memory.current', cache: /^inactive_file (\d+)/m },
} as const;

/** The groups of this process and their ancestors. A container sees its own group as the root, whatever its path is. */
function groupsOf(root: string): Group[] {
  const lines = (contentOf(join(root, 'proc/self/cgroup')) ?? '').split('\n');
  return lines.flatMap((line): Group[] => {
    const [, controllers, path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === '') return around(path, join(root, 'sys/fs/cgroup'), versions[2]);
    const isMemory = controllers?.split(',').includes('memory');
    return isMemory ? around(path, join(root, 'sys/fs/cgroup/memory'), versions[1]) : [];
  });
}

function around(path: string, top: string, files: Group['files']): Group[] {
  const group = { directory: join(top, path), files };
  return path === '/' ? [group] : [group, ...around(dirname(path), top, files)];
}

/** Memory of the control group; empty if it has no limit, or is not visible from here. */
function memoryOfGroup({ directory, files }: Group): MachineMemory[] {
  const total = numberIn(join(directory, files.limit));
  const usage = numberIn(join(directory, files.usage));
  if (total === undefined || usage === undefined) return [];
  const cached = Number(files.cache.exec(contentOf(join(directory, 'memory.stat')) ?? '')?.[1] ?? 0);
  return [{ total, available: Math.max(0, total - usage + cached) }];
}

/** Undefined for `max`, too. */
function numberIn(path: string): number | undefined {
  const text = contentOf(path)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
