import type { ProcessUse } from './process-use.ts';

/** The limits that the kernel enforces on all processes of a browser together. */
export interface KernelBounds extends ProcessUse {
  /** CPU weight under contention, relative to a process of niceness 0. */
  readonly cpuShare: number;
  /** Numbers of the processors that its processes may run on. */
  readonly processors: readonly number[];
}

/**
 * Key in the group's events file that counts how often the kernel enforced the bound: killed a process, or refused to
 * start one.
 */
interface Hits {
  readonly file: string;
  readonly word: string;
}

type Value = (bounds: KernelBounds) => number | string;

/** A file of a control group: one that sets a limit, or the one that counts processor time. */
export type Row = { readonly version: 1 | 2; readonly controller: string; readonly file: string } & (
  | { readonly bound: keyof ProcessUse; readonly value: Value; readonly hits: Hits }
  | {
      readonly bound: 'cpuShare' | 'processors';
      readonly value: Value;
      readonly hits?: undefined;
      /** A file that must have the parent's content before a process can enter. */
      readonly inherited?: string;
    }
  | { readonly bound?: undefined; readonly milliseconds: (content: string) => number }
);

const memory = {
  controller: 'memory',
  bound: 'memoryBytes',
  value: (b: KernelBounds) => b.memoryBytes,
} as const;
const threads = { controller: 'pids', bound: 'threads', value: (b: KernelBounds) => b.threads } as const;
const refused = { file: 'pids.events', word: 'max' };
const cpu = { controller: 'cpu', bound: 'cpuShare' } as const;
const processors = {
  controller: 'cpuset',
  bound: 'processors',
  file: 'cpuset.cpus',
  value: (b: KernelBounds) => b.processors.join(','),
} as const;
/** CPU weight of niceness 0 is `usual`, as in the kernel's own groups of sessions (sched(7), autogroup). */
const weight = (usual: number, least: number) => (b: KernelBounds) =>
  Math.max(least, Math.round(usual * b.cpuShare));

/** File names from the kernel's documents `cgroup-v1` and `cgroup-v2`. */
export const controlGroupRows: readonly Row[] = [
  {
    version: 1,
    ...memory,
    file: 'memory.limit_in_bytes',
    hits: { file: 'memory.oom_control', word: 'oom_kill' },
  },
  { version: 1, ...threads, file: 'pids.max', hits: refused },
  { version: 1, ...cpu, file: 'cpu.shares', value: weight(1024, 2) },
  { version: 2, ...memory, file: 'memory.max', hits: { file: 'memory.events', word: 'oom_kill' } },
  { version: 2, ...threads, file: 'pids.max', hits: refused },
  { version: 2, ...cpu, file: 'cpu.weight', value: weight(100, 1) },
  { version: 1, ...processors, inherited: 'cpuset.mems' },
  { version: 2, ...processors },
  { version: 1, controller: 'cpuacct', file: 'cpuacct.usage', milliseconds: (used) => Number(used) / 1e6 },
  {
    ...{ version: 2, controller: 'cpu', file: 'cpu.stat' },
    milliseconds: (stat) => Number(/^usage_usec (\d+)/m.exec(stat)?.[1] ?? 0) / 1e3,
  },
];
