import { expect } from 'chai';
import type { Intent, Plan } from '../../../contracts/resources/agent-turn.ts';
import { replay } from '../../../domain/agent-session/replay.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const scenario: Scenario = {
  ...{ asksModel: true, rounds: 1, intents: 1, strays: false, failsAt: 9, dialogAt: 9 },
  ...{ readsBack: false, hasForm: false, isBundled: false, hasVariable: false, opensInitialUrl: false },
  ...{ losesFirst: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 9 },
  ...{ change: 'none', moment: 99 },
};
const used = { model: 'a-model', inputTokens: 10, outputTokens: 5, costCents: 1 };
const secret = 'tr0ub4dor&3';
const message = `Sign in as ada with ${secret} and download the invoice`;

const home: Intent = { kind: 'navigate', url: 'http://sim.test/' };
const typing: Intent = {
  kind: 'interact',
  action: { kind: 'type', label: 'Key', text: secret, sensitive: true },
};
const plan = (intent: Intent, after: 'look' | 'done', more: Partial<Plan> = {}): Plan =>
  ({ decision: 'plan', intents: [intent], readBack: false, after, ...more }) as Plan;

const decidedBy = (...plans: readonly Plan[]) => decidedIn(scenario, ...plans);

/** A turn that was decided by these plans in order: its events, and their types at each plan. */
async function decidedIn(given: Scenario, ...plans: readonly Plan[]) {
  const before: string[][] = [];
  const fail = () => Promise.reject(new Error('It was not expected to be asked.'));
  const story: TurnStory = new TurnStory(given, {
    model: {
      decompose: async () => {
        before.push((await story.events()).map(({ type }) => type));
        const next = plans[before.length - 1];
        return next === undefined ? fail() : { plan: next, usage: used };
      },
      ...{ readBack: fail, fillIn: fail },
    },
  });
  await story.open();
  const { body } = await story.turns.say({ ...story.order, message });
  return { body, before, events: await story.events() };
}

describe('a message with a secret', () => {
  it('is recorded without it, also if only a later plan types it', async () => {
    const { before, events } = await decidedBy(plan(home, 'look'), plan(typing, 'done'));
    expect(before[1]).to.include('TurnDecomposed').and.not.include('MessageRecorded');
    expect(JSON.stringify(events)).to.contain('Sign in as ada with [hidden] and').and.not.contain(secret);
  });

  describe('whose first plan was to be the last, and failed,', () => {
    const first = plan(home, 'done');
    const typed = plan(typing, 'done');
    const answer = { decision: 'answer', answer: 'It failed.' } as const;
    const failing = { ...scenario, failsAt: 0 };

    it('is recorded without it where that plan does not say what is secret', async () => {
      const { before, events } = await decidedIn(failing, first, typed);
      expect(before[1]).to.include('IntentSettled').and.not.include('MessageRecorded');
      expect(JSON.stringify(events)).to.contain('Sign in as ada with [hidden] and').and.not.contain(secret);
      expect(replay(events)).to.equal(null);
    });

    it('is recorded with that plan if it says so', async () => {
      const { before, events } = await decidedIn(failing, { ...first, secrets: [secret] }, typed);
      expect(before[1]).to.include('MessageRecorded');
      expect(JSON.stringify(events)).to.contain('Sign in as ada with [hidden] and').and.not.contain(secret);
      expect(replay(events)).to.equal(null);
    });

    it('is recorded with that plan, as it stands, if it says that nothing is', async () => {
      const { before, events } = await decidedIn(failing, { ...first, secrets: [] }, answer);
      expect(before[1]).to.include('MessageRecorded');
      expect(JSON.stringify(events)).to.contain(message);
      expect(replay(events)).to.equal(null);
    });
  });

  it('is recorded without it if the plan marks it, whether or not the plan types it', async () => {
    const marked = { secrets: [secret] };
    for (const first of [
      { decision: 'clarify', question: `Is ${secret} right?`, ...marked },
      { decision: 'refuse', reason: `${secret} is wrong.`, ...marked },
      { decision: 'answer', answer: `You said ${secret}.`, ...marked },
      plan({ ...home, url: `http://sim.test/?q=${secret}` }, 'done', marked),
    ] as const) {
      const { body, events } = await decidedBy(first);
      expect(JSON.stringify([body, events])).not.to.contain(secret);
      expect(events.map(({ type }) => type)).to.include('MessageRecorded');
    }
  });

  it('keeps its other words, whatever a plan marks', async () => {
    const { events } = await decidedBy({
      ...{ decision: 'clarify', question: 'Which one?' },
      secrets: ['a', 'in', 'not said'],
    });
    expect(JSON.stringify(events)).to.contain(message);
  });
});
