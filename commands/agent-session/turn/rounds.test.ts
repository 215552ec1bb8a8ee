import assert from 'node:assert/strict';
import { defaultTurnSettings } from './ports.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const undisturbed: Scenario = {
  losesFirst: false,
  ...{ asksModel: true, rounds: 1, intents: 3, strays: false, failsAt: 9, dialogAt: 9, readsBack: false },
  ...{ opensInitialUrl: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 1 },
  ...{ hasForm: false, isBundled: false, hasVariable: false },
  ...{ change: 'none', moment: 99 },
};

const told = async (scenario: Partial<Scenario>) => {
  const story = new TurnStory({ ...undisturbed, ...scenario });
  await story.open();
  const answer = await story.say();
  assert.ok(answer.status === 'fulfilled' && answer.value.body.kind === 'plan-executed');
  return { body: answer.value.body, asked: story.asked, events: await story.events() };
};

describe('a round during which something unexpected happens', () => {
  it('ends early, skips its other intents, and tells the model without a secret', async () => {
    const { body, asked, events } = await told({ dialogAt: 0, rounds: 2 });
    assert.deepEqual([body.rounds, body.ok, body.results.length, body.intents.length], [2, true, 4, 4]);
    assert.deepEqual(asked.at(-1)?.soFar?.news, ['A dialog (confirm) said "[hidden]" and was dismissed.']);
    const [cut] = events.filter(({ type }) => type === 'IntentSettled');
    assert.equal(cut?.type === 'IntentSettled' && cut.data.endsRound, true);
  });

  it('succeeds if no intent of its plan is left', async () => {
    const { body } = await told({ dialogAt: 2 });
    assert.deepEqual([body.rounds, body.ok, body.results.length], [1, true, 3]);
  });
});

describe('a turn whose deadline passes while its plan is carried out', () => {
  for (const [by, asksModel, done, end] of [
    ['a model', true, 2, { ok: false, limit: 'deadline' }],
    ['the grammar, which has none,', false, 3, { ok: true, limit: null }],
  ] as const)
    it(`by ${by} settles with ${done} of 3 steps`, async () => {
      const half = defaultTurnSettings.turnDeadlineMs / 2;
      const story: TurnStory = new TurnStory(
        { ...undisturbed, asksModel },
        { assertSound: () => story.clock.advance(half) },
      );
      await story.open();
      const answer = await story.say();
      assert.ok(answer.status === 'fulfilled' && answer.value.body.kind === 'plan-executed');
      const { results, intents } = answer.value.body;
      assert.deepEqual([results.length, intents.length], [done, 3]);
      const settled = (await story.events()).at(-1);
      assert.ok(settled?.type === 'TurnSettled');
      assert.deepEqual({ ok: settled.data.ok, limit: settled.data.limit }, end);
    });
});

describe('the entry of a turn by the grammar', () => {
  for (const [failsAt, isKnown] of [
    [9, true],
    [1, false],
  ] as const)
    it(`${isKnown ? 'names' : 'does not name'} the sites that it quotes if a step ${isKnown ? 'did not fail' : 'failed'}`, async () => {
      const { events } = await told({ asksModel: false, failsAt });
      const settled = events.find(({ type }) => type === 'TurnSettled');
      assert.ok(settled?.type === 'TurnSettled');
      assert.equal(settled.data.sealedAnswer.includes('heard'), isKnown);
    });
});

describe('a turn that another process abandons', () => {
  it('has an answer only if it was settled first, whenever it is abandoned', async () => {
    for (let moment = 0; moment < 30; moment += 1) {
      const failing = {
        opensInitialUrl: true,
        losesFirst: true,
        failsAt: 0,
        modelFails: 'unavailable',
      } as const;
      const story = new TurnStory({ ...undisturbed, ...failing, modelFailsIn: 2, change: 'abandon', moment });
      await story.open();
      const answer = await story.say();
      const isSettled = (await story.events()).some(({ type }) => type === 'TurnSettled');
      assert.equal(answer.status === 'fulfilled', isSettled, `at the moment ${moment}`);
    }
  });
});
