import { expect } from 'chai';
import pino from 'pino';
import { Refusal } from '../../contracts/problems.ts';
import { startRedis, until } from '../verification/testbed/index.ts';
import { createRateLimits, type RateLimits } from './index.ts';

const logger = pino({ level: 'silent' });
const failures = { burst: 3, windowMs: 60_000 };

const outcome = async (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'let in',
    (error: unknown) => (error instanceof Refusal ? error.slug : String(error)),
  );

async function failTimes({ attempts }: RateLimits, address: string, times: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let n = 0; n < times; n += 1) outcomes.push(await outcome(attempts.failed(address)));
  return outcomes;
}

describe('failed authentications', () => {
  it('are counted by address, which is admitted again after Retry-After', async () => {
    let ms = 0;
    const limits = createRateLimits({ logger, failures, now: () => ms });
    expect(await failTimes(limits, '192.0.2.1', 2)).to.deep.equal(['let in', 'let in']);
    expect(await outcome(limits.attempts.assertAllowed('192.0.2.1'))).to.equal('let in');
    expect(await failTimes(limits, '192.0.2.1', 2)).to.deep.equal(['let in', 'rate-limited']);
    const refusal: unknown = await limits.attempts
      .assertAllowed('192.0.2.1')
      .catch((error: unknown) => error);
    expect(refusal).to.have.deep.property('extensions', { retry_after_seconds: 20 });
    expect(await outcome(limits.attempts.assertAllowed('192.0.2.2'))).to.equal('let in');
    ms += 19_999;
    expect(await outcome(limits.attempts.assertAllowed('192.0.2.1'))).to.equal('rate-limited');
    ms += 1;
    expect(await failTimes(limits, '192.0.2.1', 2)).to.deep.equal(['let in', 'rate-limited']);
  });

  it('are not counted when limits are not enforced', async () => {
    const limits = createRateLimits({ logger, failures, enforced: false });
    expect(new Set(await failTimes(limits, '192.0.2.1', 20))).to.deep.equal(new Set(['let in']));
    expect(await outcome(limits.attempts.assertAllowed('192.0.2.1'))).to.equal('let in');
  });

  it('count an IPv6 network of one subscriber as one address', async () => {
    const limits = createRateLimits({ logger, failures });
    await failTimes(limits, '2001:db8:1:2::1', 3);
    const outcomeFor = (address: string) => outcome(limits.attempts.assertAllowed(address));
    expect(await outcomeFor('2001:db8:1:2:3:4:5:6')).to.equal('rate-limited');
    expect(await outcomeFor('2001:db8:1:3::1')).to.equal('let in');
  });
});

describe('failed authentications in Redis', () => {
  it('are counted by every process together, and by each alone while Redis is away', async () => {
    const redis = await startRedis();
    const open = () => createRateLimits({ logger, failures, redisUrl: redis.url });
    const [one, two] = [open(), open()];
    // Until its connection is established, each counts in memory.
    await until(async () => {
      const address = `192.0.2.${Math.floor(Math.random() * 250)}`;
      await failTimes(one, address, 3);
      return (await outcome(two.attempts.assertAllowed(address))) === 'rate-limited';
    });
    await redis.stop();
    expect(await outcome(two.attempts.assertAllowed('198.51.100.1'))).to.equal('let in');
    expect((await failTimes(two, '198.51.100.1', 4)).at(-1)).to.equal('rate-limited');
    await Promise.all([one.close(), two.close()]);
  });
});
