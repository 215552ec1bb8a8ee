import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { ProviderUnavailable, type ModelCall } from '../../../infra/model/port.ts';
import { systemPause } from '../../../infra/platform/clock.ts';
import { turnCents } from '../../bundled-llm.ts';
import { testSettings } from '../testing.ts';
import { defaultTurnSettings, type TurnOptions } from './index.ts';
import { TurnStory } from './testing.ts';
import { planOf, type Scenario } from './testing/scenario.ts';

const scenario: Scenario = {
  losesFirst: false,
  ...{ asksModel: true, rounds: 1, intents: 1, strays: false, failsAt: 9, dialogAt: 9, readsBack: true },
  ...{ opensInitialUrl: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 1 },
  ...{ hasForm: false, isBundled: true, hasVariable: false },
  ...{ change: 'none', moment: 99 },
};
const used = { model: 'a-model', inputTokens: 10, outputTokens: 5, costCents: null };

/** Fails as the provider's client does when its request is aborted: a little later, with what its first try has used. */
async function aborted({ signal }: Pick<ModelCall, 'signal'>): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  await setImmediate();
  throw new ProviderUnavailable('The model provider did not answer in time.', 1, used);
}

type Model = TurnOptions['model'];
const model = (changes: Partial<Model>): Model => ({
  decompose: async () => ({ plan: planOf(scenario), usage: used }),
  readBack: aborted,
  fillIn: aborted,
  ...changes,
});
const settings = (turnDeadlineMs: number): TurnOptions['settings'] => ({
  ...{ ...testSettings, ...defaultTurnSettings, turnDeadlineMs },
  ...{ controlCheckMs: 1, lastWordsMs: 1, bundledKey: 'sk-ant-bundled' },
});

const tokensIn = (events: readonly AgentSessionEvent[]): readonly number[] =>
  events.flatMap((event) =>
    event.type === 'TurnDecomposed' || event.type === 'TurnReadBack' ? [event.data.tokens] : [],
  );

describe('the tokens that a failed call of a model has used', () => {
  it('are recorded if the call is aborted at the deadline of the turn', async () => {
    const story = new TurnStory(scenario, { model: model({ decompose: aborted }), settings: settings(20) });
    await story.open();
    const answer = await story.say();
    assert.ok(answer.status === 'rejected' && answer.reason instanceof Refusal);
    assert.equal(answer.reason.slug, 'model-unavailable');
    assert.deepEqual(tokensIn(await story.events()), [15]);
    assert.equal(await story.spent(), turnCents);
  });

  it('are recorded, and told, if the call is aborted after a change of control', async () => {
    const story: TurnStory = new TurnStory(
      { ...scenario, change: 'takeover', moment: 1 },
      {
        model: model({
          decompose: async (call) => {
            await story.moment();
            return aborted(call);
          },
        }),
        pause: systemPause,
        settings: settings(60_000),
      },
    );
    await story.open();
    const answer = await story.say();
    assert.ok(answer.status === 'rejected' && answer.reason instanceof Refusal);
    const { ai_control_unavailable, tokens_consumed } = answer.reason.extensions;
    assert.deepEqual([ai_control_unavailable, tokens_consumed], [true, 15]);
    assert.deepEqual(tokensIn(await story.events()), [15]);
    assert.equal(await story.spent(), turnCents);
  });

  it('are recorded if the page is not read back', async () => {
    const readBack = async () => Promise.reject(new ProviderUnavailable('No answer.', 1, used));
    const story = new TurnStory(scenario, { model: model({ readBack }), settings: settings(60_000) });
    await story.open();
    const answer = await story.say();
    assert.ok(answer.status === 'fulfilled' && answer.value.body.kind === 'plan-executed');
    assert.equal(answer.value.body.ok, true);
    assert.deepEqual(tokensIn(await story.events()), [15, 15]);
  });
});
