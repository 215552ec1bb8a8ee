import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Refusal, refuse } from '../../contracts/problems.ts';
import {
  addressBuckets,
  bucketSizes,
  buckets as bucketNames,
  type AddressBucket,
  type Bucket,
} from '../../contracts/rate-buckets.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { RateVerdict } from '../http/types.ts';
import { addressKey } from '../platform/address-key.ts';
import { type Buckets, insured, MemoryBuckets, RedisBuckets } from './buckets.ts';
import { createMailLimits, type MailLimits } from './mails.ts';
import { createSignInDelays, undelayed, type SignInDelays } from './sign-in-delays.ts';
import { type BucketSize, type Level, tokensLeft, untilToken } from './token-bucket.ts';

/** The account of the buckets, and the tier for their size. */
export interface RateCaller {
  readonly accountId: string;
  readonly tier: Tier;
}

export interface RateLimits {
  /** Takes a token from the account's bucket; throws `rate-limited` if it is empty. */
  consume(caller: RateCaller, bucket: Bucket): Promise<RateVerdict>;
  /** The same for a bucket of the address. */
  consumeOfAddress(address: string, bucket: AddressBucket): Promise<RateVerdict>;
  /** Levels of the account's buckets, without taking a token. */
  levels(caller: RateCaller): Promise<Readonly<Record<Bucket, RateVerdict>>>;
  /** Failed authentications by address; throws `rate-limited` once the address's bucket is empty. */
  readonly attempts: {
    assertAllowed(address: string): Promise<void>;
    failed(address: string): Promise<void>;
  };
  /** Attempts to sign in, by the person's mail address. */
  readonly signIns: SignInDelays;
  /** Mails that strangers can cause, by recipient and by sender. */
  readonly mails: MailLimits;
  close(): Promise<void>;
}

export interface RateLimitOptions {
  /** `redis://…`: buckets shared by all processes. Undefined: each process has its own. */
  readonly redisUrl?: string;
  /** False disables counting and refusals, for load and race tests. */
  readonly enforced?: boolean;
  /** Failed authentications allowed per address in a burst, and the refill time of the bucket. Default: 30 a minute. */
  readonly failures?: { readonly burst: number; readonly windowMs: number };
  readonly logger: Logger;
  /** For buckets in memory: a monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Token buckets per account: a bucket holds `burst` tokens, and one is refilled every minute / `perMinute`. A client that waits
 * for `Retry-After` is always admitted. Without Redis the buckets are in memory. The routes of the write and the read side use
 * different buckets (except `GET /v1/sessions/{id}/state`), so one process of each is exact; several of one side each grant the
 * full size. If Redis is down each process falls back to its own buckets: limits get looser, requests do not fail.
 */
export function createRateLimits({
  redisUrl,
  enforced = true,
  failures = { burst: 30, windowMs: 60_000 },
  logger,
  now,
}: RateLimitOptions): RateLimits {
  const redis = redisUrl === undefined ? undefined : connect(redisUrl, logger);
  const memory = new MemoryBuckets(now);
  const buckets = redis === undefined ? memory : insured(new RedisBuckets(redis), memory);

  const spend = async (key: string, bucket: string, size: BucketSize): Promise<RateVerdict | Refusal> => {
    if (!enforced) return verdictOf(size, full);
    const level = await buckets.take(`${bucket}:${key}`, size, 1);
    return level.taken ? verdictOf(size, level) : rateLimited(`The ${bucket} bucket is empty.`, size, level);
  };
  const consume = async (key: string, bucket: string, size: BucketSize): Promise<RateVerdict> => {
    const spent = await spend(key, bucket, size);
    if (spent instanceof Refusal) throw spent;
    return spent;
  };
  const look = async (key: string, bucket: string, size: BucketSize): Promise<RateVerdict> =>
    verdictOf(size, enforced ? await buckets.take(`${bucket}:${key}`, size, 0) : full);
  return {
    attempts: enforced ? countAttempts(failures, buckets) : uncounted,
    mails: createMailLimits(spend),
    signIns: enforced ? createSignInDelays(buckets, addressKey) : undelayed,

    consume: ({ accountId, tier }, bucket) => consume(accountId, bucket, bucketSizes[tier][bucket]),
    consumeOfAddress: (address, bucket) => consume(addressKey(address), bucket, addressBuckets[bucket]),

    async levels({ accountId, tier }) {
      const verdicts = bucketNames.map(
        async (name) => [name, await look(accountId, name, bucketSizes[tier][name])] as const,
      );
      return Object.fromEntries(await Promise.all(verdicts)) as Record<Bucket, RateVerdict>;
    },

    async close() {
      redis?.disconnect();
    },
  };
}

const full = { untilFull: 0 };
const verdictOf = (size: BucketSize, level: Pick<Level, 'untilFull'>): RateVerdict => ({
  limit: size.burst,
  remaining: tokensLeft(size, level),
  resetSeconds: wholeSeconds(level.untilFull),
});

const uncounted: RateLimits['attempts'] = { assertAllowed: async () => {}, failed: async () => {} };

function countAttempts(
  { burst, windowMs }: NonNullable<RateLimitOptions['failures']>,
  buckets: Buckets,
): RateLimits['attempts'] {
  const size = { burst, perMinute: (burst / windowMs) * 60_000 };
  const assertLeft = async (address: string, tokens: 0 | 1): Promise<void> => {
    const level = await buckets.take(`auth:failed:${addressKey(address)}`, size, tokens);
    if (!level.taken) throw rateLimited('Too many API keys from this address were refused.', size, level);
  };
  return {
    assertAllowed: (address) => assertLeft(address, 0),
    failed: (address) => assertLeft(address, 1),
  };
}

const rateLimited = (why: string, size: BucketSize, level: Level) =>
  refuse('rate-limited', `${why} Try again later.`, {
    retry_after_seconds: Math.max(1, wholeSeconds(untilToken(size, level))),
  });

const wholeSeconds = (microseconds: number): number => Math.ceil(microseconds / 1_000_000);

/** Timeout of Redis's answers, in ms: a silent server must not delay requests. */
const answerLimitMs = 500;

/** Commands fail at once while disconnected, so that memory takes over without a wait. */
function connect(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerLimitMs,
  });
  redis.on('error', (error) =>
    logger.warn({ err: error }, 'Redis is unavailable; rate limits are counted in memory.'),
  );
  return redis;
}
