import { refuse } from '../../contracts/problems.ts';

/** Concurrency limits: in all, and for one key. */
export interface UnderWayLimits {
  readonly atOnce: number;
  readonly ofOneKey: number;
}

/** Concurrency limiter without a queue, for work that takes much memory or disk: beyond the limit calls are refused. */
export class UnderWay {
  readonly #limits: UnderWayLimits;
  readonly #keys: string[] = [];

  constructor(limits: UnderWayLimits) {
    this.#limits = limits;
  }

  /** Returns the release, which is idempotent; refuses `feature-unavailable` at the limit. */
  begin(key: string): () => void {
    const { atOnce, ofOneKey } = this.#limits;
    if (this.#keys.length >= atOnce || this.#keys.filter((each) => each === key).length >= ofOneKey)
      throw refuse('feature-unavailable', 'Too many requests of this kind are in progress. Try again soon.', {
        retry_after_seconds: 5,
      });
    this.#keys.push(key);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#keys.splice(this.#keys.indexOf(key), 1);
    };
  }
}
