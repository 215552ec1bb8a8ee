import { expect } from 'chai';
import sinon from 'sinon';
import { createExpiringCache } from './expiring-cache.ts';

describe('an expiring cache', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  const away = () => Promise.reject(new Error('away'));
  const counting = (maxAgeMs: number, entries?: number) => {
    let reads = 0;
    const states = createExpiringCache<number>({ maxAgeMs, ...(entries !== undefined && { entries }) });
    return { ...states, get: (key: string) => states.get(key, () => Promise.resolve((reads += 1))) };
  };

  it('are read once, however many ask', async () => {
    const states = counting(1000);
    expect(await Promise.all([states.get('a'), states.get('a')])).to.deep.equal([1, 1]);
    clock.tick(999);
    expect(await states.get('a')).to.equal(1);
  });

  it('are read again once they are too old, even if no news came', async () => {
    const states = counting(1000);
    await states.get('a');
    clock.tick(1000);
    expect(await states.get('a')).to.equal(2);
  });

  it('are read again after they were forgotten, also when the read before was still under way', async () => {
    const states = counting(1000);
    const before = states.get('a');
    states.forget('a');
    expect([await before, await states.get('a'), await states.get('a')]).to.deep.equal([1, 2, 2]);
  });

  it('are not kept when their read failed', async () => {
    const states = createExpiringCache<string>({ maxAgeMs: 1000 });
    expect(await states.get('a', away).catch(String)).to.equal('Error: away');
    expect(await states.get('a', () => Promise.resolve('there'))).to.equal('there');
  });

  it('are given out, where that will do, while they are read again and while they cannot be', async () => {
    const states = createExpiringCache<string>({ maxAgeMs: 1000, oldWhileReading: true });
    await states.get('a', () => Promise.resolve('old'));
    clock.tick(1000);
    expect(await states.get('a', () => new Promise(() => undefined))).to.equal('old');
    clock.tick(1000);
    expect(await states.get('a', away)).to.equal('old');
    clock.tick(1000);
    expect(await states.get('a', () => Promise.resolve('new'))).to.equal('old');
    expect(await states.get('a', away)).to.equal('new');
    states.clear();
    expect(await states.get('a', away).catch(String)).to.equal('Error: away');
  });

  it('are kept for a bounded number of streams, the longest known forgotten first', async () => {
    const states = counting(1000, 2);
    for (const uuid of ['a', 'b', 'c']) await states.get(uuid);
    expect(await states.get('b')).to.equal(2);
    expect(await states.get('a')).to.equal(4);
  });
});
