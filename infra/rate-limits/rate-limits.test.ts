import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pino from 'pino';
import { Refusal } from '../../contracts/problems.ts';
import { startRedis, until } from '../verification/testbed/index.ts';
import { createRateLimits, type RateLimits } from './index.ts';

const logger = pino({ level: 'silent' });
const free = { accountId: 'acc_1', tier: 'free' } as const;

/** Takes until refused; returns the number of admitted requests and the refusal. */
async function drain(limits: RateLimits): Promise<{ taken: number; refusal: Refusal }> {
  for (let taken = 0; taken < 1000; taken += 1) {
    try {
      await limits.consume(free, 'sessions:create');
    } catch (error) {
      if (error instanceof Refusal) return { taken, refusal: error };
      throw error;
    }
  }
  throw new Error('never refused');
}

/** Whether a request taken by `limits` reaches Redis. */
async function shared(limits: RateLimits, url: string): Promise<boolean> {
  const accountId = randomUUID();
  await limits.consume({ accountId, tier: 'team' }, 'default:read');
  const redis = new Redis(url);
  const keys = await redis.keys(`*${accountId}`);
  redis.disconnect();
  return keys.length === 1;
}

describe('rate limits', () => {
  let ms = 0;
  beforeEach(() => (ms = 0));
  const open = () => createRateLimits({ logger, now: () => ms });

  it('admit a burst and refuse the next one with the seconds until the next token', async () => {
    const { taken, refusal } = await drain(open());
    expect(taken).to.equal(3);
    expect(refusal.slug).to.equal('rate-limited');
    expect(refusal.extensions).to.deep.equal({ retry_after_seconds: 12 });
  });

  it('admit one request again exactly after Retry-After', async () => {
    const limits = open();
    const { refusal } = await drain(limits);
    ms += Number(refusal.extensions.retry_after_seconds) * 1000 - 1;
    expect((await drain(limits)).taken).to.equal(0);
    ms += 1;
    expect((await drain(limits)).taken).to.equal(1);
  });

  it('give one token back every minute / rate, up to the burst', async () => {
    const limits = open();
    await drain(limits);
    const taken: number[] = [];
    for (const seconds of [12, 24, 36, 120]) {
      ms += seconds * 1000;
      taken.push((await drain(limits)).taken);
    }
    expect(taken).to.deep.equal([1, 2, 3, 3]);
  });

  it('ask a refused client to wait for a whole second at least', async () => {
    const limits = open();
    const caller = { accountId: 'acc_1', tier: 'enterprise' } as const;
    for (let n = 0; n < 300; n += 1) await limits.consume(caller, 'default:read');
    const refusal: unknown = await limits.consume(caller, 'default:read').catch((error: unknown) => error);
    expect(refusal).to.have.deep.property('extensions', { retry_after_seconds: 1 });
  });

  it('hold the rate per minute over an hour of a client that never rests', async () => {
    const limits = open();
    let taken = 0;
    for (; ms < 3_600_000; ms += 1000) taken += (await drain(limits)).taken;
    expect(taken).to.equal(3 + 5 * 60 - 1);
  });

  it('report the limit, what is left and when it is full again', async () => {
    const limits = open();
    const consume = () => limits.consume(free, 'sessions:create');
    expect(await consume()).to.deep.equal({ limit: 3, remaining: 2, resetSeconds: 12 });
    ms += 6000;
    expect(await consume()).to.deep.equal({ limit: 3, remaining: 1, resetSeconds: 18 });
    ms += 6000;
    expect(await consume()).to.deep.equal({ limit: 3, remaining: 1, resetSeconds: 24 });
  });

  it('cost a client whose tier changes one filling of its new bucket at most', async () => {
    const limits = open();
    const consume = (tier: 'enterprise' | 'free') =>
      limits.consume({ accountId: 'acc_1', tier }, 'sessions:create');
    await drain(limits);
    const refusal: unknown = await consume('enterprise').catch((error: unknown) => error);
    expect(refusal).to.have.deep.property('extensions', { retry_after_seconds: 1 });
    ms += 1000;
    expect((await consume('enterprise')).remaining).to.be.at.least(0);
  });

  it('keep buckets and accounts apart', async () => {
    const limits = open();
    await drain(limits);
    expect((await limits.consume(free, 'default:write')).remaining).to.equal(29);
    const other = await limits.consume({ accountId: 'acc_2', tier: 'free' }, 'sessions:create');
    expect(other.remaining).to.equal(2);
  });

  it('refuse nothing when they are not enforced', async () => {
    const limits = createRateLimits({ logger, enforced: false });
    for (let n = 0; n < 100; n += 1)
      expect((await limits.consume(free, 'sessions:create')).remaining).to.equal(3);
  });
});

describe('rate limits in Redis', () => {
  it('are shared by every process and fall back to memory when Redis goes away', async () => {
    const redis = await startRedis();
    const processes = [redis, redis].map(({ url }) => createRateLimits({ logger, redisUrl: url }));
    const [one, two] = processes;
    if (!one || !two) throw new Error('two processes');
    // Until the connection is established, requests are counted in memory.
    for (const each of processes) await until(async () => await shared(each, redis.url));

    expect((await one.consume(free, 'sessions:create')).remaining).to.equal(2);
    expect((await two.consume(free, 'sessions:create')).remaining).to.equal(1);
    expect((await drain(one)).taken).to.equal(1);
    const { taken, refusal } = await drain(two);
    expect(taken).to.equal(0);
    expect(refusal.extensions.retry_after_seconds).to.be.within(11, 12);

    await redis.stop();
    expect((await drain(two)).taken).to.equal(3);
    await Promise.all(processes.map((each) => each.close()));
  });

  it('do not wait for a Redis that has gone silent', async () => {
    const redis = await startRedis();
    const limits = createRateLimits({ logger, redisUrl: redis.url });
    await until(async () => await shared(limits, redis.url));
    redis.pause();
    expect((await drain(limits)).taken).to.equal(3);
    await limits.close();
    await redis.stop();
  });
});
