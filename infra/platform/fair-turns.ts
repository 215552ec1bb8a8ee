import type { ConcurrencyLimits } from './concurrency-limiter.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import { Semaphore } from './semaphore.ts';

/** Does expensive work a few at once, keys in turn, so that one key neither takes all the places nor all the turns. */
export class FairTurns {
  readonly #perKey: number;
  readonly #all: FairSemaphore;
  /** By key, with the number of its works, waiting ones included. Without entries of keys that have none. */
  readonly #own = new Map<string | undefined, { readonly turns: Semaphore; works: number }>();

  constructor({ total, perKey }: ConcurrencyLimits) {
    this.#perKey = perKey;
    this.#all = new FairSemaphore(total);
  }

  /** Does the work once it is the key's turn, and resolves or rejects as it does. */
  async hold<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    const own = this.#own.get(key) ?? { turns: new Semaphore(this.#perKey), works: 0 };
    this.#own.set(key, own);
    own.works += 1;
    try {
      return await own.turns.hold(() => this.#all.hold(key, work));
    } finally {
      own.works -= 1;
      if (own.works === 0) this.#own.delete(key);
    }
  }
}
