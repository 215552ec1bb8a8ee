import { readFileSync, readdirSync } from 'node:fs';

/** Use of a process and its descendants. */
export interface Use {
  /** Proportional set size: memory shared by several processes is divided among them. */
  readonly pssMb: number;
  readonly rssMb: number;
  /** Private and anonymous part of `pssMb`: what grows with a leak. */
  readonly ownMb: number;
  readonly processes: number;
  readonly files: number;
  /** CPU time so far, user and system, in seconds; ticks of 10 ms. */
  readonly cpuSeconds: number;
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;
const nothing: Use = { pssMb: 0, rssMb: 0, ownMb: 0, processes: 0, files: 0, cpuSeconds: 0 };

/** The resources used by each named process and its descendants. A process counts for its nearest named ancestor. */
export function usedBy(roots: Readonly<Record<string, number>>): Record<string, Use> {
  const running = new Map(allRunning().map((each) => [each.pid, each]));
  const names = new Map(Object.entries(roots).map(([name, pid]) => [pid, name]));
  const used = Object.fromEntries(Object.keys(roots).map((name) => [name, nothing]));
  for (const each of running.values()) {
    const name = nearestName(each, running, names);
    if (name !== undefined) used[name] = sum(used[name] ?? nothing, useOf(each));
  }
  return used;
}

export const total = (used: Readonly<Record<string, Use>>): Use =>
  Object.values(used).reduce((all, each) => sum(all, each), nothing);

function nearestName(
  process: Running,
  running: ReadonlyMap<number, Running>,
  names: ReadonlyMap<number, string>,
): string | undefined {
  for (let each: Running | undefined = process; each !== undefined; each = running.get(each.parent)) {
    const name = names.get(each.pid);
    if (name !== undefined) return name;
  }
  return undefined;
}

const sum = (a: Use, b: Use): Use => ({
  pssMb: a.pssMb + b.pssMb,
  rssMb: a.rssMb + b.rssMb,
  ownMb: a.ownMb + b.ownMb,
  processes: a.processes + b.processes,
  files: a.files + b.files,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
});

/** `/proc/<pid>/stat` (proc(5)): after the name in parentheses, the parent is field 4, user and system ticks 14 and 15. */
function allRunning(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = orGone(() => readFileSync(`/proc/${name}/stat`, 'utf8'), '');
      if (stat === '') return [];
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      return [{ pid: Number(name), parent: Number(fields[1]), cpuSeconds }];
    });
}

function useOf({ pid, cpuSeconds }: Running): Use {
  const rollup = orGone(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '');
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
  const files = orGone(() => readdirSync(`/proc/${pid}/fd`).length, 0);
  return {
    pssMb: megabytes('Pss'),
    rssMb: megabytes('Rss'),
    ownMb: megabytes('Pss_Anon'),
    processes: 1,
    files,
    cpuSeconds,
  };
}

/** A process may exit between being listed and being read. */
function orGone<T>(look: () => T, gone: T): T {
  try {
    return look();
  } catch {
    return gone;
  }
}
