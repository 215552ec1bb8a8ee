import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import { Refusal, refuse } from '../../../contracts/problems.ts';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { testSettings } from '../testing.ts';
import type { BoundRecipe, TurnOptions } from './index.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

/** One step by the grammar, and a change of the mode when the test makes it. */
const scenario: Scenario = {
  ...{ asksModel: false, rounds: 1, intents: 1, strays: false, failsAt: 9, dialogAt: 9 },
  ...{ readsBack: false, hasForm: false, isBundled: false, hasVariable: false, opensInitialUrl: false },
  ...{ losesFirst: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 9 },
  ...{ change: 'mode', moment: Infinity },
};

type Attempted = Awaited<ReturnType<TurnOptions['sessions']['attempt']>>;

const tap: Intent = { kind: 'interact', action: { kind: 'tap', selector: '#save' } };
const recipe: BoundRecipe = {
  id: toId('recipe', randomUUID()),
  contents: { steps: [], parameters: [] },
  intents: [tap],
  targets: [{ selector: '#save', text: 'Save', role: 'button' }],
};

const missing: Attempted = {
  dispatched: {
    outcome: 'failed',
    failure: { kind: 'page', category: 'element_not_found', reason: 'Nothing was found.' },
  },
  ...{ ended: false, position: undefined },
};

const sessionsWith = (attempt: () => Promise<Attempted>): TurnOptions['sessions'] => ({
  // The created session is not used.
  create: async () => undefined as never,
  attempt,
  endOrWithdraw: async () => undefined,
});

/** The refusal that ended the turn, with what had been done. */
async function endOf(story: TurnStory, order = story.order) {
  const refusal: unknown = await story.turns.say(order).then(
    () => 'the turn settled',
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refusal)) throw new Error(String(refusal));
  const { slug, extensions } = refusal;
  const { ai_control_unavailable, phase, partial_results = [] } = extensions;
  return [slug, ai_control_unavailable, phase, (partial_results as readonly unknown[]).length];
}

describe('a step of a turn, once control has changed', () => {
  it('is not begun after it has waited for a busy browser', async () => {
    let tries = 0;
    const story: TurnStory = new TurnStory(scenario, {
      pause: () => story.change(),
      sessions: sessionsWith(async () => {
        tries += 1;
        if (tries === 1) throw refuse('conflict', 'The session is busy.');
        return missing;
      }),
    });
    await story.open();
    expect(await endOf(story)).to.deep.equal(['conflict', true, 'executing', 1]);
    expect(tries).to.equal(1);
    const types = (await story.events()).map(({ type }) => type);
    expect(types.slice(-3)).to.deep.equal(['ModeChanged', 'IntentSettled', 'TurnSuperseded']);
  });

  it('is not tried in another way', async () => {
    let tries = 0;
    const story: TurnStory = new TurnStory(scenario, {
      sessions: sessionsWith(async () => {
        tries += 1;
        await story.change();
        return missing;
      }),
    });
    await story.open();
    expect((await endOf(story, { ...story.order, recipe })).slice(0, 2)).to.deep.equal(['conflict', true]);
    expect(tries).to.equal(1);
  });

  it('is not begun if the process was suspended before it', async () => {
    let tries = 0;
    let looks = 0;
    const story: TurnStory = new TurnStory(scenario, {
      runner: {
        run: (...given) => story.runner.run(...given),
        load: async (decider, uuid, options) => {
          const loaded = await story.runner.load(decider, uuid, options);
          if (decider.category.name !== 'agent_session') return loaded;
          looks += 1;
          // The last look before the first step.
          if (looks > 1) return loaded;
          story.clock.advance(testSettings.turnLeaseMs / 3 + 1);
          await story.change();
          return loaded;
        },
      },
      sessions: sessionsWith(async () => {
        tries += 1;
        return missing;
      }),
    });
    await story.open();
    expect((await endOf(story)).slice(0, 3)).to.deep.equal(['conflict', true, 'executing']);
    expect([tries, looks]).to.deep.equal([0, 2]);
  });
});
