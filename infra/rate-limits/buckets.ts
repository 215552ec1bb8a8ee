import type { Redis, Result } from 'ioredis';
import { interval, take, takeScript, type BucketSize, type Level } from './token-bucket.ts';

/** Where buckets are kept. */
export interface Buckets {
  take(key: string, size: BucketSize, tokens: 0 | 1): Promise<Level>;
}

/** Full buckets are forgotten whenever there are this many, or twice as many as the last time. */
const firstSweep = 1000;

/** In this process. */
export class MemoryBuckets implements Buckets {
  readonly #fullAt = new Map<string, number>();
  readonly #now: () => number;
  #sweepAt = firstSweep;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Buckets that are kept: those that are not full, and some that are. */
  get size(): number {
    return this.#fullAt.size;
  }

  async take(key: string, size: BucketSize, tokens: 0 | 1): Promise<Level> {
    const now = Math.floor(this.#now() * 1000);
    const level = take(this.#fullAt.get(key) ?? 0, now, size, tokens);
    if (level.untilFull > 0) {
      this.#fullAt.set(key, now + level.untilFull);
      if (this.#fullAt.size >= this.#sweepAt) this.#sweep(now);
    }
    return level;
  }

  #sweep(now: number): void {
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(key);
    this.#sweepAt = Math.max(firstSweep, 2 * this.#fullAt.size);
  }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** @see takeScript */
    takeToken(
      key: string,
      perToken: number,
      capacity: number,
      tokens: number,
    ): Result<[taken: 0 | 1, untilFull: number, now: number], Context>;
  }
}

/** In Redis, for all processes. */
export class RedisBuckets implements Buckets {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    redis.defineCommand('takeToken', { lua: takeScript, numberOfKeys: 1 });
    this.#redis = redis;
  }

  /** Also gives the time it was taken at, in microseconds. */
  async take(key: string, size: BucketSize, tokens: 0 | 1): Promise<Level & { readonly now: number }> {
    const perToken = interval(size);
    const name = `bucket:${key}`;
    const [taken, untilFull, now] = await this.#redis.takeToken(
      name,
      perToken,
      size.burst * perToken,
      tokens,
    );
    return { taken: taken === 1, untilFull, now };
  }
}

/** Those shared by all processes; while they do not answer, this process's own. */
export const insured = (shared: Buckets, own: Buckets): Buckets => ({
  take: (...bucket) => shared.take(...bucket).catch(() => own.take(...bucket)),
});
