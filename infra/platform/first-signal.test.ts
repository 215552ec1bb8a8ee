import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { firstSignal } from './first-signal.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the first of several signals', () => {
  it('is aborted by a timeout that is nowhere else, also after a garbage collection', async () => {
    const signal = firstSignal(new AbortController().signal, AbortSignal.timeout(200));
    const aborted = once(signal, 'abort');
    // Weak references hold their targets until the end of the current job.
    await setImmediate();
    collectGarbage();
    await aborted;
    expect(signal.reason).to.have.property('name', 'TimeoutError');
  });

  it('is the signal itself if there is only one', () => {
    const { signal } = new AbortController();
    expect(firstSignal(signal)).to.equal(signal);
  });

  it('is aborted with the reason of the one that was aborted', () => {
    const one = new AbortController();
    const signal = firstSignal(one.signal, AbortSignal.timeout(60_000));
    one.abort(new Error('Enough.'));
    expect(signal.reason).to.have.property('message', 'Enough.');
    expect(firstSignal(AbortSignal.timeout(60_000), one.signal).aborted).to.equal(true);
  });
});
