import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceError } from '../../../contracts/client/index.ts';
import { waitsForCode, withStepUp } from '../../console/parts/step-up.ts';

const refusal = new ServiceError({
  status: 403,
  type: 'https://errors.example/mfa-step-up-required',
  title: 'A code is needed',
  detail: '',
  requestId: '',
});

describe('two changes that need a fresh second factor at the same time', () => {
  let isFresh = false;
  const change = async () => {
    if (!isFresh) throw refusal;
    return 'done';
  };
  const answer = async (isEntered: boolean) => {
    // Both have been refused by now.
    await setImmediate();
    const entered = waitsForCode.value;
    [isFresh, waitsForCode.value] = [isEntered, undefined];
    entered?.(isEntered);
  };
  afterEach(() => {
    isFresh = false;
  });

  it('are both made after one code', async () => {
    const made = Promise.all([withStepUp(change), withStepUp(change)]);
    await answer(true);
    expect(await made).to.deep.equal(['done', 'done']);
    expect(waitsForCode.value).to.equal(undefined);
  });

  it('are both refused without one, and the next one asks again', async () => {
    const made = Promise.allSettled([withStepUp(change), withStepUp(change)]);
    await answer(false);
    expect((await made).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    const next = withStepUp(change);
    await answer(true);
    expect(await next).to.equal('done');
  });
});
