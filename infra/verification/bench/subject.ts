import type { Logger } from 'pino';

/** One of the two sides of a ratio. `run` does exactly `operations` operations and resolves when all are done. */
export interface Side {
  readonly name: string;
  readonly run: (operations: number) => Promise<void>;
  /** CPU time so far of the process that does the work, if that is not the bench itself. */
  readonly cpuUsage?: () => Promise<NodeJS.CpuUsage>;
  /** Operations of one run, if this side is so much slower that the subject's number would take too long. */
  readonly operations?: number;
}

/** Shared by the subjects of one run: a seed for everything made up, and a directory that is removed at its end. */
export interface BenchRun {
  readonly seed: number;
  readonly directory: string;
  readonly logger: Logger;
}

/** Context of a subject: the same, with a directory of its own. */
export interface Bench extends BenchRun {
  /** Expensive resources that several subjects use. */
  readonly run: BenchRun;
}

/** Creates a resource once in a run, on the first use, for all subjects. */
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

/** Bars: where a figure passes, and where it is as good as the machine allows. */
export interface Bars {
  readonly pass: number;
  readonly stretch: number;
}

interface Described {
  /** Row of the table of targets, such as `R1`, with a letter or word for a variant. */
  readonly id: string;
  readonly title: string;
  /** Takes minutes: skipped unless it is named. */
  readonly long?: boolean;
}

/** A ratio of throughputs (operations per second, ours / raw; more is better), measured in alternating rounds. */
export interface RatioSubject extends Described, Bars {
  readonly kind: 'ratio';
  /** Operations of one run of a side; enough for about half a second. */
  readonly operations: number;
  readonly prepare: (bench: Bench) => Promise<Prepared>;
}

/** Result of a check: the judged figure, and others for information. */
export interface Finding {
  readonly value: number;
  readonly passed: boolean;
  readonly stretched: boolean;
  readonly figures: Readonly<Record<string, number>>;
}

/** A subject with its own measurement: a latency, a growth, a size, or an exact count under a race. */
export interface CheckSubject extends Described {
  readonly kind: 'check';
  readonly bars: Bars;
  /** Unit of `value`: `ms`, `MB`, `x`, `violations`. */
  readonly unit: string;
  readonly check: (bench: Bench) => Promise<Finding>;
}

export type Subject = RatioSubject | CheckSubject;

/** A finding whose figure should be small. */
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

/** A finding whose figure should be large. */
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
