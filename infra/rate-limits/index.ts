import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { refuse } from '../../contracts/problems.ts';
import { bucketSizes, buckets, type Bucket } from '../../contracts/rate-buckets.ts';
import { tiers, type Tier } from '../../contracts/tiers.ts';
import { addressKey } from './address.ts';
import { createLimiter } from './limiter.ts';

export interface RateVerdict {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export interface RateLimits {
  /** Takes one request out of the account's bucket; throws `rate-limited` when it is empty. */
  consume(caller: { readonly accountId: string; readonly tier: Tier }, bucket: Bucket): Promise<RateVerdict>;
  /** Failed authentications by address; throws `rate-limited` once an address has none left. */
  readonly attempts: {
    assertAllowed(address: string): Promise<void>;
    failed(address: string): Promise<void>;
  };
  close(): Promise<void>;
}

export interface RateLimitOptions {
  /** `redis://…`: buckets shared by all processes. Without it each process has its own. */
  readonly redisUrl?: string;
  /** False counts nothing and refuses nobody: for load and race tests. */
  readonly enforced?: boolean;
  /** Failed authentications that an address may have in a window. Default 30 a minute. */
  readonly failures?: { readonly burst: number; readonly windowMs: number };
  readonly logger: Logger;
}

/**
 * Rate buckets per account. A bucket holds `burst` requests and is full again `burst / perMinute` minutes after the
 * first one was taken, so the long-run rate is `perMinute` and a client that waits for `Retry-After` always gets in.
 *
 * Without Redis the buckets are in memory. The routes of the write and of the read side draw on different buckets (but
 * for `GET /v1/sessions/{id}/state`), so one process of each is exact; several of one side each grant the full size.
 * When Redis is away each process falls back to its own buckets: limits get looser, requests do not fail.
 */
export function createRateLimits({
  redisUrl,
  enforced = true,
  failures = { burst: 30, windowMs: 60_000 },
  logger,
}: RateLimitOptions): RateLimits {
  const redis = redisUrl === undefined ? undefined : connect(redisUrl, logger);
  const limiters = new Map<string, RateLimiterAbstract>(
    buckets.flatMap((bucket) =>
      tiers.map((tier) => [`${bucket} ${tier}`, createLimiter(bucket, bucketSizes[bucket][tier], redis)]),
    ),
  );

  return {
    attempts: enforced ? countAttempts(failures, redis) : uncounted,

    async consume({ accountId, tier }, bucket) {
      const { burst: limit } = bucketSizes[bucket][tier];
      const limiter = limiters.get(`${bucket} ${tier}`);
      if (!enforced || !limiter) return { limit, remaining: limit, resetSeconds: 0 };
      try {
        const taken = await limiter.consume(accountId);
        return { limit, remaining: taken.remainingPoints, resetSeconds: seconds(taken) };
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw rateLimited(`The ${bucket} bucket is empty.`, error);
      }
    },

    async close() {
      redis?.disconnect();
    },
  };
}

const uncounted: RateLimits['attempts'] = { assertAllowed: async () => {}, failed: async () => {} };

function countAttempts(
  { burst, windowMs }: NonNullable<RateLimitOptions['failures']>,
  redis: Redis | undefined,
): RateLimits['attempts'] {
  const limiter = createLimiter('auth:failed', { burst, perMinute: (burst / windowMs) * 60_000 }, redis);
  return {
    async assertAllowed(address) {
      const counted = await limiter.get(addressKey(address));
      if (counted !== null && counted.consumedPoints >= burst) throw tooMany(counted);
    },
    async failed(address) {
      await limiter.consume(addressKey(address)).catch((refusal: unknown) => {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      });
    },
  };
}

const rateLimited = (detail: string, counted: RateLimiterRes) =>
  refuse('rate-limited', detail, { retry_after_seconds: Math.max(1, seconds(counted)) });

const tooMany = (counted: RateLimiterRes) =>
  rateLimited('Too many API keys from this address were refused.', counted);

const seconds = ({ msBeforeNext }: RateLimiterRes): number => Math.ceil(Math.max(0, msBeforeNext) / 1000);

/** Commands fail at once while the connection is away, so that the fallback takes over without a wait. */
function connect(url: string, logger: Logger): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  redis.on('error', (error) =>
    logger.warn({ err: error }, 'Rate buckets: Redis is away, counting in memory'),
  );
  return redis;
}
