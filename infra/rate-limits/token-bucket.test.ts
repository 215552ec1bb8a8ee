import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { startRedis, type TestRedis } from '../verification/testbed/index.ts';
import { MemoryBuckets, RedisBuckets } from './buckets.ts';
import { interval, take, tokensLeft, untilToken } from './token-bucket.ts';

const size = fc.record({
  burst: fc.integer({ min: 1, max: 50 }),
  perMinute: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0.01, max: 1000, noNaN: true })),
});
/** Microseconds between requests: none, shorter and longer than tokens need. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(1_000_000), fc.nat(600_000_000)), {
  minLength: 1,
  maxLength: 200,
});

describe('a token bucket', () => {
  it('gives in any span of time at most its burst and what was refilled within it', () => {
    fc.assert(
      fc.property(size, pauses, (bucket, gaps) => {
        const takenAt: number[] = [];
        let [now, fullAt] = [0, 0];
        for (const gap of gaps) {
          now += gap;
          const level = take(fullAt, now, bucket, 1);
          fullAt = now + level.untilFull;
          if (level.taken) takenAt.push(now);
        }
        for (const [first, from] of takenAt.entries())
          for (const [last, to] of takenAt.entries())
            if (last >= first)
              expect(last - first + 1).to.be.at.most(
                bucket.burst + Math.floor((to - from) / interval(bucket)),
              );
      }),
      { numRuns: 50 },
    );
  });

  it('has a token exactly when it said there would be one, and not a microsecond before', () => {
    fc.assert(
      fc.property(size, fc.nat(), (bucket, startedAt) => {
        let fullAt = 0;
        for (let n = 0; n < bucket.burst; n += 1)
          fullAt = startedAt + take(fullAt, startedAt, bucket, 1).untilFull;
        const level = take(fullAt, startedAt, bucket, 0);
        expect([level.taken, tokensLeft(bucket, level)]).to.deep.equal([false, 0]);
        const wait = untilToken(bucket, level);
        expect(take(fullAt, startedAt + wait - 1, bucket, 1).taken).to.equal(false);
        expect(take(fullAt, startedAt + wait, bucket, 1).taken).to.equal(true);
        expect(wait).to.equal(interval(bucket));
      }),
    );
  });

  it('takes nothing when it is only looked at', () => {
    const bucket = { burst: 2, perMinute: 60 };
    expect(take(0, 5, bucket, 0)).to.deep.equal({ taken: true, untilFull: 0 });
  });

  it('needs one filling at most when the clock was set back', () => {
    const bucket = { burst: 2, perMinute: 60 };
    expect(take(3_600_000_000, 0, bucket, 0)).to.deep.equal({ taken: false, untilFull: 2_000_000 });
  });
});

describe('token buckets in memory', () => {
  it('are forgotten once they are full, so that callers who are gone take no memory', async () => {
    let ms = 0;
    const buckets = new MemoryBuckets(() => ms);
    const bucket = { burst: 1, perMinute: 60 };
    for (let n = 0; n < 10_000; n += 1) {
      await buckets.take(`address ${n}`, bucket, 1);
      ms += 10;
    }
    expect(buckets.size).to.be.below(1000);
    expect((await buckets.take('address 9999', bucket, 1)).taken).to.equal(false);
  });
});

describe('token buckets in Redis', () => {
  let redis: TestRedis;
  let client: Redis;
  before(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });
  after(async () => {
    client.disconnect();
    await redis.stop();
  });

  it('do the same sums as those in memory, at whatever times they are asked', async () => {
    const buckets = new RedisBuckets(client);
    const asked = fc.array(fc.constantFrom(0 as const, 1 as const), { minLength: 1, maxLength: 40 });
    const quick = fc.record({
      burst: fc.integer({ min: 1, max: 9 }),
      perMinute: fc.double({ min: 60, max: 1e7, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(size, quick), asked, async (bucket, tokens) => {
        const key = randomUUID();
        let fullAt = 0;
        for (const each of tokens) {
          const { now, ...level } = await buckets.take(key, bucket, each);
          expect(level).to.deep.equal(take(fullAt, now, bucket, each));
          fullAt = now + level.untilFull;
        }
      }),
      { numRuns: 100 },
    );
  });

  it('go by themselves once they are full', async () => {
    await new RedisBuckets(client).take('passing', { burst: 5, perMinute: 6000 }, 1);
    expect(await client.pttl('bucket:passing')).to.be.within(-2, 10);
  });
});
