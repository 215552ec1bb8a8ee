import { expect } from 'chai';
import sinon from 'sinon';
import { Cache, CachedReads, memoized } from './cache.ts';

describe('a cache', () => {
  it('returns an entry until its maximum age, however often it is used', () => {
    let now = 0;
    const cache = new Cache<string, number>({ maxEntries: 9, maxAgeMs: 100, now: () => now });
    cache.set('a', 1);
    const found: (number | undefined)[] = [];
    for (now = 0; now <= 120; now += 20) found.push(cache.get('a'));
    expect(found).to.deep.equal([1, 1, 1, 1, 1, undefined, undefined]);
  });

  it('counts the age from the given time', () => {
    let now = 0;
    const cache = new Cache<string, number>({ maxEntries: 9, maxAgeMs: 100, now: () => now });
    now = 90;
    cache.set('a', 1, 0);
    now = 100;
    expect(cache.get('a')).to.equal(undefined);
  });

  it('evicts the entry that was not used for longest', () => {
    const cache = new Cache<string, number>({ maxEntries: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).to.deep.equal([1, undefined, 3]);
  });

  it('caches nothing where it may have no entries', () => {
    const cache = new Cache<string, number>({ maxEntries: 0 });
    cache.set('a', 1);
    expect(cache.get('a')).to.equal(undefined);
  });

  it('caches an answer that is undefined', () => {
    let asked = 0;
    const ask = memoized(() => void (asked += 1));
    ask('a');
    ask('a');
    expect(asked).to.equal(1);
  });
});

describe('cached reads', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  const away = () => Promise.reject(new Error('away'));
  const counting = (maxAgeMs: number, entries?: number) => {
    let reads = 0;
    const states = new CachedReads<number>({
      maxAgeMs,
      ...(entries !== undefined && { maxEntries: entries }),
    });
    return {
      forget: (key: string) => states.forget(key),
      get: (key: string) => states.get(key, () => Promise.resolve((reads += 1))),
    };
  };

  it('are made once for any number of concurrent callers', async () => {
    const states = counting(1000);
    expect(await Promise.all([states.get('a'), states.get('a')])).to.deep.equal([1, 1]);
    clock.tick(999);
    expect(await states.get('a')).to.equal(1);
  });

  it('are repeated at the maximum age, even without an invalidation', async () => {
    const states = counting(1000);
    await states.get('a');
    clock.tick(1000);
    expect(await states.get('a')).to.equal(2);
  });

  it('are repeated after an invalidation, even one during a read', async () => {
    const states = counting(1000);
    const before = states.get('a');
    states.forget('a');
    expect([await before, await states.get('a'), await states.get('a')]).to.deep.equal([1, 2, 2]);
  });

  it('are not cached when they fail', async () => {
    const states = new CachedReads<string>({ maxAgeMs: 1000 });
    expect(await states.get('a', away).catch(String)).to.equal('Error: away');
    expect(await states.get('a', () => Promise.resolve('there'))).to.equal('there');
  });

  it('return a stale value, where that is allowed, while they are repeated and while they fail', async () => {
    const states = new CachedReads<string>({ maxAgeMs: 1000, servesStale: true });
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

  it('are shared even if the value may not be cached, and repeated at the next call', async () => {
    let reads = 0;
    const states = new CachedReads<number>({ maxAgeMs: 1000, isCacheable: () => false });
    const next = () => states.get('a', () => Promise.resolve((reads += 1)));
    expect([...(await Promise.all([next(), next()])), await next()]).to.deep.equal([1, 1, 2]);
    expect([states.has('a'), states.has('b')]).to.deep.equal([true, false]);
  });

  it('are cached for a bounded number of streams, and the least recently used is evicted', async () => {
    const states = counting(1000, 2);
    for (const uuid of ['a', 'b', 'c']) await states.get(uuid);
    expect(await states.get('b')).to.equal(2);
    expect(await states.get('a')).to.equal(4);
  });
});
