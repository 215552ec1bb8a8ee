import { expect } from 'chai';
import { Cache, memoized } from './cache.ts';

describe('a cache', () => {
  it('uses an entry until its age is reached, however often it is asked for', () => {
    let now = 0;
    const cache = new Cache<string, number>({ maxEntries: 9, maxAgeMs: 100, now: () => now });
    cache.set('a', 1);
    const found: (number | undefined)[] = [];
    for (now = 0; now <= 120; now += 20) found.push(cache.get('a'));
    expect(found).to.deep.equal([1, 1, 1, 1, 1, undefined, undefined]);
  });

  it('counts the age from the time it is told', () => {
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

  it('remembers an answer that is undefined', () => {
    let asked = 0;
    const ask = memoized(() => void (asked += 1));
    ask('a');
    ask('a');
    expect(asked).to.equal(1);
  });
});
