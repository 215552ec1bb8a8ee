import type { Logger } from 'pino';

/** One of the two things a ratio compares. `run` does exactly `operations` operations and resolves when all are done. */
export interface Side {
  readonly name: string;
  readonly run: (operations: number) => Promise<void>;
  /** CPU time so far of the process that does the work, when that is not the bench itself. */
  readonly cpuUsage?: () => Promise<NodeJS.CpuUsage>;
  /** Operations of one run, when this side is so much slower that the subject's number would take too long. */
  readonly operations?: number;
}

/** What the subjects of one run have in common: one seed for everything made up, and a directory, removed when it ends. */
export interface BenchRun {
  readonly seed: number;
  readonly directory: string;
  readonly logger: Logger;
}

/** What a subject is given: the same, but with a directory of its own, removed after it. */
export interface Bench extends BenchRun {
  /** For what is costly to make and read by more than one subject. */
  readonly run: BenchRun;
}

/** Makes something once in a run, for whichever subject asks first and for all that follow. */
export function onceInRun<T>(make: (run: BenchRun) => Promise<T>): (run: BenchRun) => Promise<T> {
  const made = new WeakMap<BenchRun, Promise<T>>();
  return (run) => {
    const making = made.get(run) ?? make(run);
    made.set(run, making);
    return making;
  };
}

export interface Prepared {
  /** The numerator: our code. */
  readonly ours: Side;
  /** The denominator: the same work done raw. */
  readonly raw: Side;
  readonly close: () => Promise<void>;
}

/** Where a figure passes and where it is as good as the machine allows. */
export interface Bars {
  readonly pass: number;
  readonly stretch: number;
}

interface Described {
  /** The row of the targets' table, `R1`, and a letter or word for a variant of it. */
  readonly id: string;
  readonly title: string;
  /** Takes minutes: left out of a run that names no subject. */
  readonly long?: boolean;
}

/** A ratio of throughputs (operations per second, ours / raw; more is better), measured in alternating rounds. */
export interface RatioSubject extends Described, Bars {
  readonly kind: 'ratio';
  /** Operations of one run of a side; enough for about half a second. */
  readonly operations: number;
  readonly prepare: (bench: Bench) => Promise<Prepared>;
}

/** What a check found: the one figure that is judged, and the others a reader wants beside it. */
export interface Finding {
  readonly value: number;
  readonly passed: boolean;
  readonly stretched: boolean;
  readonly figures: Readonly<Record<string, number>>;
}

/** A subject that measures by itself: a latency, a growth, a size, an exact count under a race. */
export interface CheckSubject extends Described {
  readonly kind: 'check';
  readonly bars: Bars;
  /** What `value` is in: `ms`, `MB`, `x`, `violations`. */
  readonly unit: string;
  readonly check: (bench: Bench) => Promise<Finding>;
}

export type Subject = RatioSubject | CheckSubject;

/** A finding of a figure that should be small. */
export const atMost = (
  { pass, stretch }: Bars,
  value: number,
  figures: Finding['figures'] = {},
): Finding => ({
  value,
  passed: value <= pass,
  stretched: value <= stretch,
  figures,
});

/** A finding of a figure that should be large. */
export const atLeast = (
  { pass, stretch }: Bars,
  value: number,
  figures: Finding['figures'] = {},
): Finding => ({
  value,
  passed: value >= pass,
  stretched: value >= stretch,
  figures,
});
