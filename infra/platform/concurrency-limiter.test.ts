import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

describe('a concurrency limit', () => {
  it('refuses beyond its total, and beyond its share of a key', () => {
    const limiter = new ConcurrencyLimiter({ total: 3, perKey: 2 });
    limiter.acquire('one');
    const release = limiter.acquire('one');
    expect(() => limiter.acquire('one')).to.throw(Refusal, 'Too many requests of this kind');
    limiter.acquire('other');
    expect(() => limiter.acquire('third')).to.throw(Refusal);
    release();
    limiter.acquire('third');
  });

  it('counts sizes where they are given', () => {
    const limiter = new ConcurrencyLimiter({ total: 30, perKey: 20 });
    const release = limiter.acquire('one', 15);
    expect(() => limiter.acquire('one', 6)).to.throw(Refusal);
    limiter.acquire('one', 5);
    limiter.acquire('other', 10);
    expect(() => limiter.acquire('third', 1)).to.throw(Refusal);
    release();
    limiter.acquire('third', 15);
  });

  it('counts a release once, and work until it has ended, however it ends', async () => {
    const limiter = new ConcurrencyLimiter({ total: 1, perKey: 1 });
    const release = limiter.acquire('one');
    release();
    limiter.acquire('one');
    release();
    expect(() => limiter.acquire('one')).to.throw(Refusal);

    const held = new ConcurrencyLimiter({ total: 1, perKey: 1 });
    const failure = new Error('failed');
    const failing = held.hold('one', () => {
      expect(() => held.acquire('one')).to.throw(Refusal);
      return Promise.reject(failure);
    });
    expect(await failing.catch((error: unknown) => error)).to.equal(failure);
    expect(await held.hold('one', () => Promise.resolve('done'))).to.equal('done');
  });
});
