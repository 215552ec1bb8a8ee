import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { MemoryBuckets } from './buckets.ts';
import { createSignInDelays } from './sign-in-delays.ts';

describe('attempts to sign in to one address', () => {
  let now: number;
  let paused: number[];
  let resume: (() => void)[];
  /** Pauses end on request. */
  const start = (isHeld = false) => {
    now = 0;
    paused = [];
    resume = [];
    return createSignInDelays(
      new MemoryBuckets(() => now),
      (address) => address,
      (milliseconds) => {
        paused.push(milliseconds);
        return isHeld ? new Promise<void>((done) => resume.push(done)) : Promise.resolve();
      },
    );
  };
  const attempt = () => Promise.resolve('done');
  const fail = async (delays: ReturnType<typeof start>, times: number) => {
    for (let n = 0; n < times; n += 1) await delays.failed('ann');
  };

  it('are not delayed by the first nine failures', async () => {
    const delays = start();
    await fail(delays, 9);
    expect(await delays.admit('ann', '192.0.2.1', attempt)).to.equal('done');
    expect(paused).to.deep.equal([]);
  });

  it('are delayed twice as long by each failure from the tenth on, up to four seconds', async () => {
    const delays = start();
    await fail(delays, 10);
    for (let n = 0; n < 6; n += 1) {
      await delays.admit('ann', '192.0.2.1', attempt);
      await fail(delays, 1);
    }
    expect(paused).to.deep.equal([500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('are delayed for that address alone', async () => {
    const delays = start();
    await fail(delays, 12);
    await delays.admit('bob', '192.0.2.1', attempt);
    expect(paused).to.deep.equal([]);
  });

  it('are not delayed any more after an hour', async () => {
    const delays = start();
    await fail(delays, 13);
    now = 3_600_001;
    await delays.admit('ann', '192.0.2.1', attempt);
    expect(paused).to.deep.equal([]);
  });

  it('wait four at once for one client; the next gets Retry-After, and another client waits beside them', async () => {
    const delays = start(true);
    await fail(delays, 12);
    const waiting = Array.from({ length: 4 }, () => delays.admit('ann', '192.0.2.1', attempt));
    const fifth = await delays.admit('ann', '192.0.2.1', attempt).catch((error: unknown) => error);
    if (!(fifth instanceof Refusal)) throw new Error('The fifth was not refused.');
    expect([fifth.slug, fifth.extensions]).to.deep.equal(['rate-limited', { retry_after_seconds: 2 }]);
    const other = delays.admit('ann', '192.0.2.2', attempt);
    while (resume.length < 5) await new Promise((turn) => setImmediate(turn));
    resume.forEach((go) => go());
    expect(await Promise.all([...waiting, other])).to.deep.equal(Array(5).fill('done'));
    const again = delays.admit('ann', '192.0.2.1', attempt);
    while (resume.length < 6) await new Promise((turn) => setImmediate(turn));
    resume.at(-1)?.();
    expect(await again).to.equal('done');
  });
});
