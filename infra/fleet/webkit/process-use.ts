import { readdirSync } from 'node:fs';
import { contentOf } from './kernel-files.ts';

/** Use of all processes of one browser together, its X server included. */
export interface ProcessUse {
  readonly memoryBytes: number;
  readonly threads: number;
}

const nothing: ProcessUse = { memoryBytes: 0, threads: 0 };

export function usedBy(pids: readonly number[]): ProcessUse {
  const together = (all: ProcessUse, one: ProcessUse): ProcessUse => ({
    memoryBytes: all.memoryBytes + one.memoryBytes,
    threads: all.threads + one.threads,
  });
  return pids.map(useOf).reduce(together, nothing);
}

/**
 * Use of one process. Mapped programs and files do not count: the kernel has them once for all processes, and can drop
 * them.
 */
function useOf(pid: number): ProcessUse {
  const status = contentOf(`/proc/${pid}/status`) ?? '';
  const said = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  const kilobytes = said('RssAnon') + said('RssShmem') + said('VmSwap');
  return { memoryBytes: kilobytes * 1024, threads: said('Threads') };
}

/**
 * The processes of a session and their descendants, which may lead sessions of their own. An orphan in a PID namespace
 * is adopted by the first process of that namespace, so it is found too.
 */
export function searchProcesses(): (session: number) => readonly number[] {
  const members = new Map<number, number[]>();
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    const stat = Number.isInteger(pid) ? contentOf(`/proc/${pid}/stat`) : undefined;
    if (stat === undefined) continue;
    // The fields follow the name, which is in brackets and may itself contain brackets.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4);
    add(children, Number(parent), pid);
    add(members, Number(session), pid);
  }
  return (session) => {
    const found = new Set(members.get(session));
    for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
    return [...found];
  };
}

function add(to: Map<number, number[]>, key: number, pid: number): void {
  const there = to.get(key);
  if (there) there.push(pid);
  else to.set(key, [pid]);
}

/** The process with an argument that contains the text; undefined if there is none. */
export const processNaming = (text: string): number | undefined =>
  readdirSync('/proc')
    .map(Number)
    .find((pid) => pid > 0 && contentOf(`/proc/${pid}/cmdline`)?.includes(text));

/** Ticks per second in the kernel's figures for user space, whatever its internal rate is (proc(5)). */
const ticks = 100;

/** Processor seconds that a process has used; undefined if it has ended. */
export function processorSeconds(pid: number): number | undefined {
  const stat = contentOf(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / ticks;
}
