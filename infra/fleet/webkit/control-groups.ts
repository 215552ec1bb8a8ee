import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { controlGroupRows, type KernelBounds, type Row } from './control-group-rows.ts';
import { contentOf } from './kernel-files.ts';
import { withLimits } from './limits.ts';
import type { ProcessUse } from './process-use.ts';
import { endingMs, kill } from './processes.ts';
import { confinedTo, processorsOf } from './processors.ts';

/** A row of the table, and this process's group, below which the browsers' groups are made. */
export type PlacedRow = Row & { readonly within: string };
type PlacedBound = Exclude<PlacedRow, { readonly bound?: undefined }>;

/** The control groups of one browser: one for each hierarchy that has a controller we use. */
export interface ControlGroup {
  /**
   * Directories of the groups. A process whose id is written to `cgroup.procs` there cannot leave the group, nor can
   * its descendants.
   */
  readonly directories: readonly string[];
  /** The bound that the kernel has enforced, if any. */
  passed(): keyof ProcessUse | undefined;
  /** Processor time used by the group's processes, in milliseconds; undefined where the kernel does not count it. */
  processorMs(): number | undefined;
  /** Sets the CPU weight to this part of the full weight, at most 1. */
  weigh(part: number): Promise<void>;
  /** Restricts the group to the processors for work that is not urgent, or removes that restriction. */
  confine(isConfined: boolean): Promise<void>;
  /** Kills all processes in the groups and removes them. Rejects when a process survives. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  /** Bounds that the kernel enforces here. The others are left to the watch. */
  readonly bounds: ReadonlySet<keyof KernelBounds>;
  make(name: string): Promise<ControlGroup>;
}

export const noControlGroup: ControlGroup = {
  ...groupOf([], ''),
  weigh: () => Promise.resolve(),
  confine: () => Promise.resolve(),
};
export const noControlGroups: ControlGroups = {
  bounds: new Set(),
  make: () => Promise.resolve(noControlGroup),
};

/**
 * Finds by trial which control groups can be made here. Groups that an earlier run of the same directory left are
 * removed.
 */
export async function openControlGroups(runtimeDir: string, bounds: ProcessUse): Promise<ControlGroups> {
  const prefix = `browser-${createHash('sha256').update(runtimeDir).digest('hex').slice(0, 12)}-`;
  // One step of niceness is about 25 % of CPU weight.
  const all = { ...bounds, cpuShare: 1.25 ** -getPriority(), processors: processorsOf('/proc/self') };
  const placed = placedRows('/proc/self');
  await sweep(placed, prefix);
  await delegate(placed);
  const held: PlacedRow[] = [];
  for (const row of placed) if (await works(row, `${prefix}trial`, all)) held.push(row);
  return {
    bounds: new Set(held.filter(isBound).map(({ bound }) => bound)),
    make: (name) => makeGroup(held, prefix + name, all),
  };
}

export async function makeGroup(
  rows: readonly PlacedRow[],
  name: string,
  bounds: KernelBounds,
): Promise<ControlGroup> {
  const group = groupOf(rows, name);
  const held = rows.filter(isBound);
  const write = ({ within, file, value }: PlacedBound, most: KernelBounds) =>
    writeFile(join(within, name, file), String(value(most)));
  let changing = Promise.resolve();
  /** One after the other, so that the last change holds. */
  const change = (bound: keyof KernelBounds, changed: KernelBounds) =>
    (changing = changing.then(async () => {
      for (const row of held)
        // The group may be removed already.
        if (row.bound === bound) await write(row, changed).catch(() => undefined);
    }));
  const confined = { ...bounds, processors: confinedTo(bounds.processors) };
  try {
    for (const directory of group.directories) await mkdir(directory);
    for (const row of held) {
      if ('inherited' in row)
        await writeFile(
          join(row.within, name, row.inherited),
          await readFile(join(row.within, row.inherited)),
        );
      await write(row, bounds);
    }
    return {
      ...group,
      weigh: (part) => change('cpuShare', { ...bounds, cpuShare: bounds.cpuShare * part }),
      confine: (isConfined) => change('processors', isConfined ? confined : bounds),
    };
  } catch (error) {
    await group.remove();
    throw error;
  }
}

function groupOf(rows: readonly PlacedRow[], name: string): Omit<ControlGroup, 'weigh' | 'confine'> {
  const directories = [...new Set(rows.map(({ within }) => join(within, name)))];
  return {
    directories,
    passed: () => {
      for (const { within, bound, hits } of rows.filter(isBound))
        if (hits && countOf(join(within, name, hits.file), hits.word) > 0) return bound;
      return undefined;
    },
    processorMs: () => {
      const row = rows.find((each) => each.bound === undefined);
      const content = row && contentOf(join(row.within, name, row.file));
      return content === undefined ? undefined : row?.milliseconds(content);
    },
    remove: async () => void (await Promise.all(directories.map(removeDirectory))),
  };
}

async function removeDirectory(directory: string): Promise<void> {
  const end = performance.now() + endingMs;
  while (!(await isRemoved(directory))) {
    if (performance.now() > end) throw new Error(`${directory} does not end.`);
    linesOf(join(directory, 'cgroup.procs')).map(Number).forEach(kill);
    await delay(10);
  }
}

/** The rows whose controller is mounted, in the version that it is mounted in. */
export function placedRows(proc: string): readonly PlacedRow[] {
  const memberships = linesOf(join(proc, 'cgroup')).map((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return { controllers: controllers.split(','), path };
  });
  const mounts = linesOf(join(proc, 'mountinfo')).map((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = before.split(' ');
    const [type = '', , options = ''] = after.split(' ');
    return { root, point, type, options: options.split(',') };
  });
  return controlGroupRows.flatMap((row) => {
    const named = row.version === 1 ? row.controller : '';
    const mount = mounts.find(({ type, options }) =>
      row.version === 1 ? type === 'cgroup' && options.includes(named) : type === 'cgroup2',
    );
    const path = memberships
      .find(({ controllers }) => controllers.includes(named))
      ?.path.replace(ownLeaf, '');
    if (!mount || path === undefined) return [];
    const within = join(mount.point, relative(mount.root, path));
    const isThere =
      row.version === 1 ||
      linesOf(join(within, 'cgroup.controllers')).join().split(' ').includes(row.controller);
    return isThere ? [{ ...row, within }] : [];
  });
}

/** A group for the node itself, beside those of its browsers. */
const leaf = 'service-node';
const ownLeaf = new RegExp(`(?<=/)${leaf}$`);

/** Moves this process. */
const enter = (directory: string): Promise<void> =>
  writeFile(join(directory, 'cgroup.procs'), String(process.pid));

async function enterLeaf(within: string): Promise<void> {
  await mkdir(join(within, leaf), { recursive: true });
  await enter(join(within, leaf));
}

/**
 * Moves this process into the leaf group, so that browsers' groups can be made beside it. The supervisor of a node
 * calls it before it starts processes, which inherit the group. Does nothing if the group has other processes, such as
 * those of a login.
 */
export async function leaveGroupToBrowsers(proc = '/proc/self'): Promise<void> {
  const within = placedRows(proc).find(({ version }) => version === 2)?.within;
  if (within === undefined || contentOf(join(within, 'cgroup.procs'))?.trim() !== String(process.pid)) return;
  try {
    await enterLeaf(within);
  } catch {
    // The group was not delegated to this user. The node's trial will report that.
    await isRemoved(join(within, leaf));
  }
}

/**
 * A version 2 group can only delegate controllers while it has no processes: this process moves to a group of its own.
 * If other processes remain, delegation fails, and the trial reports it.
 */
async function delegate(rows: readonly PlacedRow[]): Promise<void> {
  const second = rows.filter(({ version }) => version === 2);
  const [within] = second.map((row) => row.within);
  if (within === undefined) return;
  const controllers = second.map(({ controller }) => `+${controller}`).join(' ');
  try {
    await enterLeaf(within);
    await writeFile(join(within, 'cgroup.subtree_control'), controllers);
  } catch {
    await enter(within).catch(() => undefined);
    await isRemoved(join(within, leaf));
  }
}

/** Whether a browser's group can be made and entered here. In most containers groups are read-only. */
async function works(row: PlacedRow, name: string, bounds: KernelBounds): Promise<boolean> {
  try {
    const group = await makeGroup([row], name, bounds);
    const [program = '', ...args] = withLimits({ groups: group.directories });
    try {
      await promisify(execFile)(program, [...args, 'true'], { timeout: 10_000 });
      return true;
    } finally {
      await group.remove();
    }
  } catch {
    return false;
  }
}

async function sweep(rows: readonly PlacedRow[], prefix: string): Promise<void> {
  for (const row of rows)
    for (const name of await readdir(row.within))
      if (name.startsWith(prefix)) await groupOf([row], name).remove();
}

function isBound(row: PlacedRow): row is PlacedBound {
  return row.bound !== undefined;
}

function countOf(path: string, word: string): number {
  const line = linesOf(path).find((each) => each.startsWith(`${word} `));
  return Number(line?.slice(word.length) ?? 0);
}

/** Lines of a file; none if there is no such file. */
const linesOf = (path: string): readonly string[] => (contentOf(path) ?? '').split('\n').filter(Boolean);

/** Removes the group, which is only possible without processes in it. Returns whether it is gone. */
async function isRemoved(directory: string): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch {
    // In a read-only file system, as in most containers, the removal fails even if there is no such group.
    return !existsSync(directory);
  }
}
