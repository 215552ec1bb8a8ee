import { expect } from 'chai';
import { addsEntry, type SealedBody } from '../../../../contracts/events/agent-transcript.ts';
import { events } from '../../../../domain/agent-session/testing.ts';
import { keyOf } from './held.ts';
import { Provenance } from './index.ts';
import { rememberedOf, type Remembered } from './remembered.ts';
import { digests, heldOf, mayGo, open, pageOf, turnOf, type } from './testing.ts';

const shop = pageOf('https://shop.example/', 'Customer number: C-7741.');
const parcels = pageOf('https://parcels.example/', 'Your customer number?');

type Ended = ReturnType<typeof events.TurnFailed> | ReturnType<typeof events.TurnSettled>;

const remembered = async (event: Ended, body: SealedBody) => {
  const entry = addsEntry(event) ? await rememberedOf(event, async () => JSON.stringify(body)) : null;
  if (entry === null) throw new Error('The event adds no entry.');
  return entry;
};

describe('an approval', () => {
  const asked = async (): Promise<Remembered> => {
    const [held] = heldOf(turnOf('Track it', { pages: [shop, parcels] }), type('C-7741'));
    if (!held) throw new Error('It was not held.');
    const body = 'clarify: ?';
    return remembered(events.TurnSettled(), { body, held: [{ index: 0, ...keyOf(held) }] });
  };
  const isAllowedAfter = async (...since: Remembered[]): Promise<boolean> => {
    const before = [await asked(), ...since];
    const approvals = [{ intent_index: 0, approved: true }];
    const turn = turnOf('Yes', { before, approvals, pages: [parcels] });
    return mayGo(turn, type('C-7741'), 'parcels.example');
  };

  it('is for the previous answer, also if a message in between was answered with a problem', async () => {
    const failed = await remembered(events.TurnFailed(), { body: 'refused: No provider answers.' });
    expect(await isAllowedAfter()).to.equal(true);
    expect(await isAllowedAfter(failed, failed)).to.equal(true);
  });

  it('is not for an answer before that', async () => {
    const answered = await remembered(events.TurnSettled(), { body: 'Done.', heard: [] });
    expect(await isAllowedAfter(answered)).to.equal(false);
  });
});

describe('the entry of a turn', () => {
  it('contains words of an unknown site if a step failed in a turn that saw no page', () => {
    const byRules = new Provenance('tap "Save"', digests);
    byRules.did(open('https://shop.example/'), { final_url: 'https://shop.example/' });
    const failure = 'Failed: "Save" may be "Save C-7741" or "Save all".';
    expect(byRules.quotedIn('Opened https://shop.example/.', false)).to.deep.equal(['shop.example']);
    expect(byRules.quotedIn(failure, true)).to.equal(undefined);
    expect(turnOf('tap "Save"', { pages: [shop] }).quotedIn(failure, true)).to.deep.equal(['shop.example']);
  });
});
