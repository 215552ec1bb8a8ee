import type { Sample } from './sampling.ts';

/** The result of a soak. */
export interface SoakResult {
  /** Maximal operations per second of the machine; undefined when the rate was given. */
  readonly capacity: number | undefined;
  readonly perSecond: number;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  readonly complaints: readonly string[];
}
