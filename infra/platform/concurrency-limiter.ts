import { refuse } from '../../contracts/problems.ts';

/** Concurrency limits: in all, and for one key. Both count calls, or the sizes that calls state. */
export interface ConcurrencyLimits {
  readonly total: number;
  readonly perKey: number;
}

/** Concurrency limiter without a queue, for work that takes much memory or disk: beyond the limit calls are refused. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #held: { readonly key: string; readonly size: number }[] = [];

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Returns the release, which is idempotent; refuses `feature-unavailable` at the limit. */
  acquire(key: string, size = 1): () => void {
    const { total, perKey } = this.#limits;
    const ofKey = this.#held.filter((each) => each.key === key);
    if (sizeOf(this.#held) + size > total || sizeOf(ofKey) + size > perKey)
      throw refuse('feature-unavailable', 'Too many requests of this kind are in progress. Try again soon.', {
        retry_after_seconds: 5,
      });
    const own = { key, size };
    this.#held.push(own);
    return () => {
      const at = this.#held.indexOf(own);
      if (at >= 0) this.#held.splice(at, 1);
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

const sizeOf = (held: readonly { readonly size: number }[]): number =>
  held.reduce((sum, { size }) => sum + size, 0);
