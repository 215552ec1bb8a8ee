import { expect } from 'chai';
import { Refusal } from '../../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../../infra/event-store/client/types.ts';
import { Contended, type Runner } from '../../engine/runner.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const scenario: Scenario = {
  ...{ asksModel: true, rounds: 1, intents: 2, strays: false, failsAt: 9, dialogAt: 9 },
  ...{ readsBack: false, hasForm: false, isBundled: false, hasVariable: false, opensInitialUrl: false },
  ...{ losesFirst: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 9 },
  ...{ change: 'none', moment: 99 },
};

/** The error of a turn in which the nth command of this type fails, and the number of its dispatches. */
async function failing(type: string, nth: number, error: Error) {
  let left = nth;
  const run: Runner['run'] = async (...given) => {
    const [, , command] = given;
    if ((command as { readonly type: string }).type === type && (left -= 1) === 0) throw error;
    return story.runner.run(...given);
  };
  const story: TurnStory = new TurnStory(scenario, {
    runner: { load: (...given) => story.runner.load(...given), run },
  });
  await story.open();
  const answer = await story.say();
  if (answer.status !== 'rejected') throw new Error('The turn was settled.');
  return { error: answer.reason as unknown, dispatched: story.dispatched.length };
}

describe('a turn that the event store fails', () => {
  for (const [what, cause] of [
    ['is not available', new EventStoreUnavailable('away')],
    ['is contended', new Contended()],
  ] as const) {
    it(`because it ${what} after a step is not to be sent again`, async () => {
      for (const nth of [1, 2]) {
        const { error, dispatched } = await failing('SettleIntent', nth, cause);
        if (!(error instanceof Refusal)) throw new Error(String(error));
        expect([dispatched, error.slug, error.cause]).to.deep.equal([nth, 'feature-unavailable', cause]);
        expect(error.extensions).not.to.have.property('retry_after_seconds');
        expect(error.message).to.match(/Check the page/);
      }
    });

    it(`because it ${what} before its first step may be sent again`, async () => {
      const { error, dispatched } = await failing('RecordDecomposition', 1, cause);
      expect([dispatched, error]).to.deep.equal([0, cause]);
    });
  }

  it('in a way that it does not know is answered as a fault, and not to be sent again', async () => {
    const { error } = await failing('SettleIntent', 1, new TypeError('x is not a function'));
    if (!(error instanceof Refusal)) throw new Error(String(error));
    expect([error.slug, error.extensions]).to.deep.equal(['internal', {}]);
  });
});
