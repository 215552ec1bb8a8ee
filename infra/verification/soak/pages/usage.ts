import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Memory and disk of the service and its browsers, in MB. */
export interface ResourceUsage {
  /** Private memory of all processes together: pages of files, such as those of the log, are the system's to keep or to drop. */
  readonly serviceMb: number;
  /** The same by process of the service, its browsers included. */
  readonly byProcessMb: Readonly<Record<string, number>>;
  readonly nodeMb: number;
  /** Files of browsers. */
  readonly diskMb: number;
  readonly browsers: number;
}

/** What to measure: the service's processes by name, and the directory of its browsers. */
export interface Measured {
  readonly processes: Readonly<Record<string, number>>;
  readonly runtimeDir: string;
}

export interface UsageWatch {
  now(): Promise<ResourceUsage>;
  close(): void;
}

/** Measures in a process of its own, so that it does not delay the requests that are timed. */
export function watchUsage(look: () => Measured): UsageWatch {
  const child = fork(new URL('usage-process.ts', import.meta.url));
  return {
    now: async () => {
      child.send(look());
      const [usage] = (await once(child, 'message')) as [ResourceUsage];
      return usage;
    },
    close: () => void child.kill(),
  };
}

export const greater = (one: ResourceUsage, other: ResourceUsage): ResourceUsage => ({
  serviceMb: Math.max(one.serviceMb, other.serviceMb),
  byProcessMb: Object.fromEntries(
    Object.entries(other.byProcessMb).map(([name, mb]) => [name, Math.max(mb, one.byProcessMb[name] ?? 0)]),
  ),
  nodeMb: Math.max(one.nodeMb, other.nodeMb),
  diskMb: Math.max(one.diskMb, other.diskMb),
  browsers: Math.max(one.browsers, other.browsers),
});
