import { refuse } from '../../contracts/problems.ts';

/** How many may be under way at once: in all, and of one key. */
export interface UnderWayLimits {
  readonly atOnce: number;
  readonly ofOneKey: number;
}

/** Limits work that takes much room. Whoever comes when there is none is refused rather than kept waiting with what it holds. */
export class UnderWay {
  readonly #limits: UnderWayLimits;
  readonly #keys: string[] = [];

  constructor(limits: UnderWayLimits) {
    this.#limits = limits;
  }

  /** What ends it, however often it is called; refuses `feature-unavailable` when there is no room. */
  begin(key: string): () => void {
    const { atOnce, ofOneKey } = this.#limits;
    if (this.#keys.length >= atOnce || this.#keys.filter((each) => each === key).length >= ofOneKey)
      throw refuse('feature-unavailable', 'Too many requests of this kind are under way. Try again soon.', {
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
