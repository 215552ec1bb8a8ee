import { expect } from 'chai';
import { defaultTurnSettings, type TurnOptions } from './ports.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const scenario: Scenario = {
  ...{ asksModel: false, rounds: 1, intents: 3, strays: false, failsAt: 9, dialogAt: 9 },
  ...{ readsBack: false, hasForm: true, isBundled: false, hasVariable: false, opensInitialUrl: false },
  ...{ losesFirst: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 9 },
  ...{ change: 'none', moment: 99 },
};
const used = { model: 'a-model', inputTokens: 10, outputTokens: 5, costCents: 1 };

const model = (result: unknown): TurnOptions['model'] => ({
  decompose: () => Promise.reject(new Error('The grammar covers the message.')),
  readBack: () => Promise.reject(new Error('The plan does not ask for it.')),
  fillIn: async () => ({ result, usage: used }),
});

/** Wants a number as `code`, and anything else beside it. */
const form = {
  schema: { type: 'object' },
  faultOf: (value: unknown) =>
    typeof (value as { readonly code: unknown }).code === 'number' ? null : '/code must be number',
};

describe('a result of a turn', () => {
  it('is filled in however long the steps of the grammar took, which have no deadline', async () => {
    const story: TurnStory = new TurnStory(scenario, {
      assertSound: () => story.clock.advance(defaultTurnSettings.turnDeadlineMs),
    });
    await story.open();
    const answer = await story.say();
    expect(answer.status === 'fulfilled' && answer.value.body).to.deep.include({
      ok: true,
      result_error: null,
    });
  });

  for (const [what, result, told] of [
    ['where the schema wants a number', { code: 482_913 }, null],
    [
      'elsewhere',
      { code: 7, others: [{ also: 482_913 }, 482_914] },
      { code: 7, others: [{ also: '[hidden]' }, 482_914] },
    ],
  ] as const)
    it(`has no number whose digits are a sensitive value, ${what}`, async () => {
      const story = new TurnStory(scenario, { model: model(result) });
      await story.open();
      const answer = await story.turns.say({
        ...story.order,
        ...{ variables: { pin: { value: '482913' } }, resultForm: form },
      });
      expect(answer.body).to.have.deep.property('result', told);
      expect(JSON.stringify([answer.body, await story.events()])).not.to.contain('482913');
    });
});
