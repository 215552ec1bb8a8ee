import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pino from 'pino';
import sinon from 'sinon';
import { Refusal } from '../../contracts/problems.ts';
import { startRedis, until } from '../verification/testbed/index.ts';
import { createRateLimits, type RateLimits } from './index.ts';

const logger = pino({ level: 'silent' });
const free = { accountId: 'acc_1', tier: 'free' } as const;

/** Takes until refused; gives how many were let in and the refusal. */
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

/** Whether a request taken through `limits` reaches Redis. */
async function shared(limits: RateLimits, url: string): Promise<boolean> {
  const accountId = randomUUID();
  await limits.consume({ accountId, tier: 'team' }, 'default:read');
  const redis = new Redis(url);
  const keys = await redis.keys(`*${accountId}`);
  redis.disconnect();
  return keys.length === 1;
}

describe('rate limits', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  it('let a burst through and refuse the next one with the seconds to wait', async () => {
    const { taken, refusal } = await drain(createRateLimits({ logger }));
    expect(taken).to.equal(3);
    expect(refusal.slug).to.equal('rate-limited');
    expect(refusal.extensions).to.deep.equal({ retry_after_seconds: 36 });
  });

  it('let a client in again exactly when it was told to come back', async () => {
    const limits = createRateLimits({ logger });
    const { refusal } = await drain(limits);
    clock.tick(Number(refusal.extensions.retry_after_seconds) * 1000 - 1);
    expect((await drain(limits)).taken).to.equal(0);
    clock.tick(1);
    expect((await drain(limits)).taken).to.equal(3);
  });

  it('hold the rate per minute over an hour of a client that never rests', async () => {
    const limits = createRateLimits({ logger });
    let taken = 0;
    for (let second = 0; second < 3600; second += 1) {
      taken += (await drain(limits)).taken;
      clock.tick(1000);
    }
    expect(taken).to.equal(5 * 60);
  });

  it('tell the limit, what is left and when it is full again', async () => {
    const limits = createRateLimits({ logger });
    expect(await limits.consume(free, 'sessions:create')).to.deep.equal({
      limit: 3,
      remaining: 2,
      resetSeconds: 36,
    });
    clock.tick(6000);
    expect(await limits.consume(free, 'sessions:create')).to.deep.equal({
      limit: 3,
      remaining: 1,
      resetSeconds: 30,
    });
  });

  it('keep buckets and accounts apart', async () => {
    const limits = createRateLimits({ logger });
    await drain(limits);
    expect((await limits.consume(free, 'default:write')).remaining).to.equal(29);
    const other = await limits.consume({ accountId: 'acc_2', tier: 'free' }, 'sessions:create');
    expect(other.remaining).to.equal(2);
  });

  it('refuse nobody when they are not enforced', async () => {
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
    // Until the connection stands, requests are counted in memory.
    for (const each of processes) await until(async () => await shared(each, redis.url));

    expect((await one.consume(free, 'sessions:create')).remaining).to.equal(2);
    expect((await two.consume(free, 'sessions:create')).remaining).to.equal(1);
    expect((await drain(one)).taken).to.equal(1);
    const { taken, refusal } = await drain(two);
    expect(taken).to.equal(0);
    expect(refusal.extensions.retry_after_seconds).to.be.within(35, 36);

    await redis.stop();
    expect((await drain(two)).taken).to.equal(3);
    await Promise.all(processes.map((each) => each.close()));
  });
});
