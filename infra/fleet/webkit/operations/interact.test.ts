import { expect } from 'chai';
import type { Action } from '../../../../contracts/resources/session.ts';
import { limitsOf, pageFailure } from '../../node/driver.ts';
import type { Page } from '../page.ts';
import { failure } from '../testing/browser.ts';
import { perform } from './interact.ts';

const replies: Readonly<Record<string, object>> = {
  checkable: { isSo: false, matches: 1, surface: 1 },
  clear: { matches: 1, isEntered: false },
  focus: { matches: 1, isEntered: false },
  prepareTyping: { matches: 1, isEntered: false, keys: true },
};

/** A page whose elements are missing after the first touch. `lastMs`: milliseconds left to its last call. */
function leftByTouch(isThere: boolean, arrived = true) {
  const seen = { isThere, lastMs: 0 };
  const missing = () => pageFailure('element_not_found', 'There is no element e5 any more.');
  const page: Pick<Page, 'run' | 'press'> = {
    run: async (script, _input, expected, { endsAt }) => {
      const reply = seen.isThere ? replies[script] : undefined;
      seen.lastMs = endsAt - performance.now();
      if (!expected.is(reply)) throw missing();
      return reply;
    },
    press: async () => {
      if (!seen.isThere) throw missing();
      seen.isThere = false;
      return { matches: 1, arrived };
    },
  };
  // These actions use nothing else of it.
  return { page: page as Page, seen };
}

const tapping: readonly Action[] = [
  { kind: 'check', ref: 'e5', checked: true },
  { kind: 'type', ref: 'e5', text: 'Ada' },
  { kind: 'clear', ref: 'e5' },
  { kind: 'focus', ref: 'e5' },
  { kind: 'press', ref: 'e5', key: 'Enter' },
];

describe('an action that begins with a tap', () => {
  for (const action of tapping) {
    it(`may have taken effect if its element is missing after the tap: ${action.kind}`, async () => {
      const { page } = leftByTouch(true);
      expect(await failure(perform(page, action, limitsOf(1_000)))).to.deep.equal({
        kind: 'page',
        category: 'condition_not_met',
        reason: 'After the touch: There is no element e5 any more.',
      });
    });

    it(`has had no effect if its element is missing before the tap: ${action.kind}`, async () => {
      const { page } = leftByTouch(false);
      expect(await failure(perform(page, action, limitsOf(1_000)))).to.include({
        category: 'element_not_found',
      });
    });
  }

  it('may have taken effect if its element is missing after a touch that did not arrive', async () => {
    const { page } = leftByTouch(true, false);
    const failed = await failure(perform(page, { kind: 'tap', ref: 'e5' }, limitsOf(1_000)));
    expect(failed.category).to.equal('condition_not_met');
  });

  it('waits less for a box that its tap has removed than for a box to tap', async () => {
    const { page, seen } = leftByTouch(true);
    await failure(perform(page, { kind: 'check', ref: 'e5', checked: true }, limitsOf(60_000)));
    expect(seen.lastMs).to.be.within(1_000, 2_000);
  });
});
