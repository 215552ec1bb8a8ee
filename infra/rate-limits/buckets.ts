import type { Redis, Result } from 'ioredis';
import { interval, take, takeScript, type BucketSize, type Level } from './token-bucket.ts';

/** A store of buckets. */
export interface Buckets {
  take(key: string, size: BucketSize, tokens: 0 | 1): Promise<Level>;
}

/** Full buckets are removed whenever there are this many, or twice as many as after the last removal. */
const firstSweep = 1000;

/** Buckets in this process. */
export class MemoryBuckets implements Buckets {
  readonly #fullAt = new Map<string, number>();
  readonly #now: () => number;
  #sweepAt = firstSweep;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Number of stored buckets, some of them full. */
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

/** Buckets in Redis, shared by all processes. */
export class RedisBuckets implements Buckets {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    redis.defineCommand('takeToken', { lua: takeScript, numberOfKeys: 1 });
    this.#redis = redis;
  }

  /** Also returns the time of the request, in microseconds. */
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

/** The shared buckets; while they are unavailable, this process's own. */
export const insured = (shared: Buckets, own: Buckets): Buckets => ({
  take: (...bucket) => shared.take(...bucket).catch(() => own.take(...bucket)),
});
