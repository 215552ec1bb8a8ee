import { refuse } from '../../contracts/problems.ts';

/** Concurrency limits: in all, and for one key. */
export interface ConcurrencyLimits {
  readonly total: number;
  readonly perKey: number;
}

/** Concurrency limiter without a queue, for work that takes much memory or disk: beyond the limit calls are refused. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #keys: string[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Returns the release, which is idempotent; refuses `feature-unavailable` at the limit. */
  acquire(key: string): () => void {
    const { total, perKey } = this.#limits;
    if (this.#keys.length >= total || this.#keys.filter((each) => each === key).length >= perKey)
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

  /** Does the work unless the limit is reached, and releases when it has ended, however it ends. */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
