import type { Sample } from './sampling.ts';

/** What a soak found. */
export interface Soaked {
  /** Operations a second that the machine could do; undefined when the rate was given. */
  readonly capacity: number | undefined;
  readonly perSecond: number;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  readonly complaints: readonly string[];
}
