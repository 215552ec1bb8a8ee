import type { Logger } from 'pino';

/** One of the two things a ratio compares. `run` does exactly `operations` operations and resolves when all are done. */
export interface Side {
  readonly name: string;
  readonly run: (operations: number) => Promise<void>;
  /** CPU time so far of the process that does the work, when that is not the bench itself. */
  readonly cpuUsage?: () => Promise<NodeJS.CpuUsage>;
}

/** What a subject is given: one seed for everything it makes up, and a directory of its own that is removed after. */
export interface Bench {
  readonly seed: number;
  readonly directory: string;
  readonly logger: Logger;
}

export interface Prepared {
  /** The numerator: our code. */
  readonly ours: Side;
  /** The denominator: the same work done raw. */
  readonly raw: Side;
  readonly close: () => Promise<void>;
}

interface Described {
  /** The row of the targets' table, `R1`, and a letter or word for a variant of it. */
  readonly id: string;
  readonly title: string;
}

/** A ratio of throughputs (operations per second, ours / raw), measured in alternating rounds. */
export interface RatioSubject extends Described {
  readonly kind: 'ratio';
  readonly pass: number;
  readonly stretch: number;
  /** Operations of one run of a side; enough for about half a second. */
  readonly operations: number;
  readonly prepare: (bench: Bench) => Promise<Prepared>;
}

/** A subject whose verdict is not a ratio, such as exact counts under a race. */
export interface CheckSubject extends Described {
  readonly kind: 'check';
  readonly check: (bench: Bench) => Promise<{
    readonly passed: boolean;
    readonly stretched: boolean;
    readonly figures: Readonly<Record<string, number>>;
  }>;
}

export type Subject = RatioSubject | CheckSubject;
