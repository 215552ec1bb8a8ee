import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { untilFirstFailure } from './until-first-failure.ts';

describe('parts that run until the first failure', () => {
  it('end with the first that fails, and reject only once all have ended', async () => {
    const [ended, unhandled]: string[][] = [[], []];
    const recordUnhandled = (reason: unknown) => unhandled?.push(String(reason));
    process.on('unhandledRejection', recordUnhandled);
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve)).then(() => void ended?.push('slow'));
    const failing = Promise.reject(new Error('broken'));

    const outcome = untilFirstFailure([failing, slow], () => ended?.push('asked to end'));
    await turn();
    release();
    const failure: unknown = await outcome.catch((error: unknown) => error);
    process.off('unhandledRejection', recordUnhandled);

    expect(String(failure)).to.equal('Error: broken');
    expect(ended).to.deep.equal(['asked to end', 'slow', 'asked to end']);
    expect(unhandled).to.deep.equal([]);
  });
});
