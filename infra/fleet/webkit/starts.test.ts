import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { driverFailure } from '../node/driver.ts';
import { shareStarts } from './starts.ts';
import { failure, launch, startDriver } from './testing/browser.ts';

/** A start that takes until `end` is called. */
function startOf() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { start: () => ended, end };
}

describe('starts of browsers', () => {
  it('are limited at once and in the queue of an account; the next one is refused', async () => {
    const starts = shareStarts(1);
    const first = startOf();
    const asked = Array.from({ length: 61 }, () => starts(first.start, { tenant: 'greedy' }));
    const { kind } = await failure(starts(first.start, { tenant: 'greedy' }));
    expect(kind).to.equal('unavailable');
    const order: string[] = [];
    const other = starts(() => Promise.resolve(order.push('other')), { tenant: 'other' });
    const last = asked.at(-1)?.then(() => order.push('last'));
    first.end();
    await Promise.all([other, last]);
    expect(order).to.deep.equal(['other', 'last']);
  });

  it('release their permit when they fail', async () => {
    const starts = shareStarts(1);
    const failing = starts(() => Promise.reject(new Error('It does not start.')), { tenant: 'one' });
    expect(await failing.catch(String)).to.include('It does not start.');
    await starts(() => Promise.resolve(), { tenant: 'one' });
  });

  it('are dropped if they are aborted in the queue', async () => {
    const starts = shareStarts(1);
    const first = startOf();
    const ending = new AbortController();
    const running = starts(first.start, { tenant: 'one' });
    const withdrawn = starts(() => Promise.reject(new Error('It was made.')), {
      tenant: 'one',
      signal: ending.signal,
    });
    ending.abort(driverFailure('It ended.'));
    expect(await failure(withdrawn)).to.include({ reason: 'It ended.' });
    first.end();
    await running;
  });

  it('of another account begin while one account has many queued, with real browsers', async () => {
    const driver = await startDriver();
    const ready: string[] = [];
    const launched = async (tenant: string) => {
      const browser = await launch(driver, undefined, { tenant });
      ready.push(tenant);
      return browser;
    };
    const greedy = Array.from({ length: availableParallelism() + 3 }, () => launched('greedy'));
    const browsers = await Promise.all([...greedy, launched('other')]);
    expect(ready.at(-1)).to.equal('greedy');
    await Promise.all(browsers.map((browser) => browser.close()));
    await driver.close();
  });
});
