import { expect } from 'chai';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Observation, ObservedElement } from '../../../contracts/resources/observation.ts';
import type { Target } from '../../../contracts/resources/target.ts';
import { FailedActs } from './failed-acts.ts';

const element = (ref: string, name: string, more: Partial<ObservedElement> = {}): ObservedElement => ({
  ...{ ref, role: 'button', name, in_view: true },
  ...more,
});
const page = (elements: readonly ObservedElement[], more: Partial<Observation> = {}): Observation => ({
  ...{ url: 'http://shop.test/', title: 'Shop', scroll: { y: 0, height: 800, view: 800 } },
  ...{ elements: [...elements], headings: [], text: 'Pears', cut: false, dialog: null },
  ...more,
});
const tap = (target: object): Intent => ({ kind: 'interact', action: { kind: 'tap', ...target } });
const type = (target: object, text: string): Intent => ({
  kind: 'interact',
  action: { kind: 'type', text, ...target },
});

const before = page([element('e1', 'Pay now'), element('e2', 'Remove'), element('e3', 'Remove')]);
/** The same page later: with other refs, scrolled, and with a focused element. */
const later = page(
  [
    element('e12', 'Remove', { in_view: false }),
    element('e13', 'Remove'),
    element('e11', 'Pay now', { states: ['focused'] }),
  ],
  { scroll: { y: 300, height: 800, view: 800 } },
);

/** Finds "Pay now" by each of its names, also by its selectors and its test id, which pages do not show. */
const find = async ({ ref, selector, test_id: testId, text }: Target): Promise<string | null> => {
  const isPay = ['e1', 'e11', '#pay', 'button#pay', 'pay', 'Pay now'].some((name) =>
    [ref, selector, testId, text].includes(name),
  );
  return isPay ? '#pay' : selector === undefined ? null : '#other';
};

describe('acts that failed and may have taken effect', () => {
  const isRepeated = async (failed: Intent, next: Intent, now: Observation | null = later) => {
    const acts = new FailedActs(find);
    await acts.remember(failed, before);
    acts.see(later);
    return acts.isRepeated(next, later, async () => now);
  };

  it('are the same act however an intent names the element, on a page that was only scrolled', async () => {
    const named = [
      { ref: 'e11' },
      { role: 'button', name: 'Pay now' },
      { text: 'pay  NOW' },
      { text: 'Pay now' },
    ];
    for (const target of named) expect(await isRepeated(tap({ ref: 'e1' }), tap(target))).to.equal(true);
    const open: Intent = { kind: 'navigate', url: 'http://shop.test/pay' };
    expect(await isRepeated(open, { ...open })).to.equal(true);
  });

  it('are the same act by names that the page does not show, because the browser finds the same element', async () => {
    const named = [
      { ref: 'e11' },
      { text: 'Pay now' },
      { selector: '#pay' },
      { selector: 'button#pay' },
      { test_id: 'pay' },
    ];
    for (const one of named)
      for (const other of named)
        expect(await isRepeated(tap(one), tap(other)), JSON.stringify([one, other])).to.equal(true);
    expect(await isRepeated(tap({ selector: '#pay' }), tap({ selector: '#more' }))).to.equal(false);
    const within = tap({ selector: '#pay', frame: '#in' });
    expect(await isRepeated(tap({ selector: '#pay' }), within)).to.equal(false);
    expect(await isRepeated(tap({ test_id: 'gone' }), tap({ test_id: 'gone' }))).to.equal(true);
  });

  it('are different acts if the element, the kind or the text differs', async () => {
    expect(await isRepeated(tap({ ref: 'e2' }), tap({ ref: 'e13' }))).to.equal(false);
    expect(await isRepeated(tap({ ref: 'e2' }), tap({ ref: 'e12' }))).to.equal(true);
    expect(await isRepeated(tap({ ref: 'e1' }), type({ ref: 'e11' }, 'x'))).to.equal(false);
    expect(await isRepeated(type({ ref: 'e1' }, 'x'), type({ ref: 'e11' }, 'y'))).to.equal(false);
    expect(await isRepeated(tap({ ref: 'e1' }), tap({ ref: 'e12' }))).to.equal(false);
  });

  it('may be done again once the page has changed', async () => {
    const changes: readonly Observation[] = [
      { ...later, text: 'Not paid' },
      { ...later, url: 'http://shop.test/again' },
      { ...later, dialog: 'Sure?' },
      page([element('e21', 'Pay now')]),
    ];
    for (const now of changes)
      expect(await isRepeated(tap({ ref: 'e1' }), tap({ text: 'Pay now' }), now)).to.equal(false);
  });

  it('are not done again while it is not known whether the page has changed', async () => {
    const pay = tap({ ref: 'e1' });
    expect(await isRepeated(pay, pay, null)).to.equal(true);
    const acts = new FailedActs(find);
    await acts.remember(pay, before);
    acts.see(null);
    const again = (now: Observation | null) =>
      acts.isRepeated(tap({ text: 'Pay now' }), null, async () => now);
    expect([await again(null), await again(later)]).to.deep.equal([true, true]);
    acts.see(later);
    expect([await again(later), await again({ ...later, text: 'Not paid' })]).to.deep.equal([true, false]);
  });

  it('need no new observation if no similar act has failed, and are never compared with waits and captures', async () => {
    const acts = new FailedActs(find);
    const wait: Intent = { kind: 'wait', condition: { kind: 'text', text: 'Paid' } };
    await acts.remember(wait, before);
    acts.see(later);
    const look = () => Promise.reject(new Error('It looked.'));
    expect(await acts.isRepeated(tap({ ref: 'e11' }), later, look)).to.equal(false);
    expect(await acts.isRepeated(wait, later, look)).to.equal(false);
    expect(await acts.isRepeated({ kind: 'capture', capture: 'pdf' }, later, look)).to.equal(false);
  });
});
