import { expect } from 'chai';
import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import { approvedSites, digestsOf, keyOf, questionOf, type Approvals } from './held.ts';
import { digests, element, heldOf, interact, pageOf, someday, tap, turnOf, type } from './testing.ts';

const shop = pageOf('https://shop.example/', 'Customer number: C-7741');
const other = pageOf('https://other.example/', 'Number?');

/** A turn on `other.example` whose message decides on these intents, which were held there. */
function deciding(intents: readonly Intent[], approvals: Approvals) {
  const held = heldOf(turnOf('Track it', { pages: [shop, other] }), ...intents);
  if (held.length < intents.length) throw new Error('They were not held.');
  const asked = {
    ...{ role: 'agent' as const, body: 'clarify: ?', at: someday.toISOString(), heard: ['shop.example'] },
    held: held.map((each, index) => ({ index, ...keyOf(each) })),
  };
  return turnOf('Yes', { before: [asked], pages: [other], approvals });
}

const approved = (intent_index: number) => ({ intent_index, approved: true });
const denied = (intent_index: number) => ({ intent_index, approved: false });
/** A turn whose message approves typing the customer number on `other.example`. */
const approving = () => deciding([type('C-7741')], [approved(0)]);

const secret = (text: string): Intent => interact({ kind: 'type', label: 'Field', text, sensitive: true });

describe('an approval', () => {
  it('allows the intent on its site alone, whether or not a tap comes first', () => {
    for (const before of [[], [tap('e1')]]) {
      const turn = approving();
      const typing = type('C-7741');
      expect(heldOf(turn, ...before, typing)).to.deep.equal([]);
      expect(turn.limitOf(typing)).to.deep.equal(['other.example']);
    }
  });

  it('is not needed for words of the message, which may go to other sites too', () => {
    const turn = approving();
    const typing = type('Yes');
    expect([heldOf(turn, tap('e1'), typing), turn.limitOf(typing)]).to.deep.equal([[], undefined]);
  });

  it('of one secret allows no other, and none that was denied', () => {
    const [first, second, third] = ['C-7741', 'C-7741-9', 'C-7741-3'].map(secret);
    if (!first || !second || !third) throw new Error('There are three.');
    const turn = deciding([first, second], [approved(0), denied(1)]);
    const held = heldOf(turn, first, second, third).map(({ intent }) => intent);
    expect(held).to.deep.equal([second, third]);
  });

  it('is outweighed by a denial of the same intent, and by a later one of its index', () => {
    const twice = deciding([type('C-7741'), type('C-7741')], [approved(0), denied(1)]);
    expect(heldOf(twice, type('C-7741'))).to.have.length(1);
    const changed = deciding([type('C-7741')], [approved(0), denied(0)]);
    expect(heldOf(changed, type('C-7741'))).to.have.length(1);
  });

  it('allows no secret that an answer of an earlier release lists without a digest', () => {
    const old = { index: 0, act: 'type', site: 'other.example', digest: null };
    const decided = { approved: [old], denied: [] };
    const keys = digestsOf(digests, secret('C-7741'), other);
    expect(approvedSites(decided, secret('C-7741'), { front: 'other.example', digests: keys })).to.deep.equal(
      [],
    );
  });

  it('of a tap is for elements of its name alone, where the page in front is known', () => {
    const keypad = pageOf('https://other.example/', '', {
      elements: [element('e1', 'button', '7'), element('e2', 'button', '4'), element('e3', 'button', '7')],
    });
    const digestOf = (ref: string) => digestsOf(digests, tap(ref), keypad);
    const held = {
      intent: tap('e1'),
      why: 'words',
      from: [],
      to: 'other.example',
      digest: digestOf('e1')[0],
    } as const;
    const decided = { approved: [{ index: 0, ...keyOf(held) }], denied: [] };
    const sitesOf = (ref: string, front: string | null | undefined) =>
      approvedSites(decided, tap(ref), { front, digests: digestOf(ref) });
    expect(sitesOf('e3', 'other.example')).to.deep.equal(['other.example']);
    expect(sitesOf('e2', 'other.example')).to.deep.equal([]);
    // A node does not refuse it elsewhere.
    for (const front of [undefined, null, 'shop.example']) expect(sitesOf('e1', front)).to.deep.equal([]);
  });

  it('is asked for again on the page of another site, and never for a field of another site', () => {
    const turn = approving();
    const typing = type('C-7741');
    expect(heldOf(turn, typing)).to.deep.equal([]);
    const moved = turn.heldAt(typing, 'third.example');
    expect(keyOf(moved).site).to.equal('third.example');
    expect(questionOf([moved], 0)).to.match(/type "C-7741" on third\.example: .* `approvals`/);
    const ofFrame = turn.heldAt(typing, 'other.example');
    expect(keyOf(ofFrame).site).to.equal(null);
    expect(questionOf([ofFrame], 0)).to.match(/type "C-7741": the field is in a frame .* No approval/);
  });
});
