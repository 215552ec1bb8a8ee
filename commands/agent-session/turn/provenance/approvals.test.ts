import { expect } from 'chai';
import { approvedSites, keyOf, questionOf } from './held.ts';
import { heldOf, pageOf, someday, tap, turnOf, type } from './testing.ts';

const shop = pageOf('https://shop.example/', 'Customer number: C-7741');
const other = pageOf('https://other.example/', 'Number?');

/** A turn whose message approves typing the customer number on `other.example`. */
function approving() {
  const [held] = heldOf(turnOf('Track it', { pages: [shop, other] }), type('C-7741'));
  if (!held) throw new Error('It was not held.');
  const asked = {
    ...{ role: 'agent' as const, body: 'clarify: ?', at: someday.toISOString(), heard: ['shop.example'] },
    held: [{ index: 0, ...keyOf(held) }],
  };
  const approvals = [{ intent_index: 0, approved: true }];
  return turnOf('Yes', { before: [asked], pages: [other], approvals });
}

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

  it('of a tap allows none where the page is unknown, because a node does not refuse it elsewhere', () => {
    const approved = [{ index: 0, ...keyOf({ intent: tap('e1'), to: 'other.example' }) }];
    expect(approvedSites(approved, tap('e1'), 'other.example')).to.deep.equal(['other.example']);
    for (const front of [undefined, null, 'shop.example'])
      expect(approvedSites(approved, tap('e1'), front)).to.deep.equal([]);
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
