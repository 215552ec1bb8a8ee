import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { refuse, type ProblemSlug } from '../../../contracts/problems.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import { session } from '../../../domain/session/session.ts';
import { commands } from '../../../domain/session/testing.ts';
import { newContext } from '../../session/testing.ts';
import { testSettings } from '../testing.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const scenario: Scenario = {
  ...{ asksModel: false, rounds: 1, intents: 1, strays: false, failsAt: 9, dialogAt: 9 },
  ...{ readsBack: false, hasForm: false, isBundled: false, hasVariable: false, opensInitialUrl: false },
  ...{ losesFirst: false, refusesSpawn: false, modelFails: 'not', modelFailsIn: 9 },
  ...{ change: 'takeover', moment: Infinity },
};
const sessionId = toId('session', randomUUID());

/** A turn of an agent session whose browser a person's join has named; `pause` advances the clock. */
async function named(pause: (story: TurnStory, pauses: number) => Promise<void>) {
  let pauses = 0;
  const ended: string[] = [];
  const story: TurnStory = new TurnStory(scenario, {
    pause: async (ms) => {
      story.clock.advance(ms);
      pauses += 1;
      await pause(story, pauses);
    },
    sessions: {
      // The created session is not used.
      create: async () => undefined as never,
      attempt: async () => ({
        dispatched: { outcome: 'succeeded', result: { final_url: 'http://sim.test/', status: 200 } },
        ...{ ended: false, position: undefined },
      }),
      endOrWithdraw: async (_caller, id) => void ended.push(id),
    },
  });
  await story.open();
  const at = story.clock.now().toISOString();
  const start = { type: 'StartDriverSession', sessionId, at } as const;
  await story.runner.run(agentSession, uuidOf(story.id), start, newContext(story.caller.accountId));
  const answer = await story.say();
  const types = (await story.events()).map(({ type }) => type);
  return { answer, ended, spawned: types.filter((type) => type === 'DriverSessionSpawned').length };
}

/** The browser's own process requests it. */
const requested = async ({ runner, caller }: TurnStory): Promise<void> => {
  const { request } = commands.RequestSession();
  const command = { type: 'RequestSession', request: { ...request, sessionId } } as const;
  await runner.run(session, uuidOf(sessionId), command, newContext(caller.accountId), { create: true });
};

describe('the browser of a turn that a person’s join has named', () => {
  it('is waited for while its process may still request it', async () => {
    const fifteenSeconds = 150;
    const { answer, ended, spawned } = await named(async (story, pauses) => {
      if (pauses === fifteenSeconds) await requested(story);
    });
    expect([answer.status, ended, spawned]).to.deep.equal(['fulfilled', [], 1]);
  });

  it('is withdrawn and replaced once its process must have died', async () => {
    let waitedMs = 0;
    const { answer, ended, spawned } = await named(async () => void (waitedMs += 100));
    expect([answer.status, ended, spawned]).to.deep.equal(['fulfilled', [sessionId], 2]);
    expect(waitedMs).to.be.within(testSettings.startWithinMs, testSettings.startWithinMs + 12_000);
  });

  it('is not waited for any longer once a person has taken over', async () => {
    const { answer, ended } = await named(async (story, pauses) => {
      if (pauses === 1) await story.change();
    });
    expect([answer.status, ended]).to.deep.equal(['rejected', []]);
  });
});

describe('the browser of a turn whose agent session is closed while it starts', () => {
  const closedUnder = async (slug: ProblemSlug) => {
    const story: TurnStory = new TurnStory(
      { ...scenario, change: 'close' },
      {
        sessions: {
          create: async () => {
            await story.change();
            throw refuse(slug);
          },
          attempt: () => Promise.reject(new Error('It has not started.')),
          endOrWithdraw: async () => undefined,
        },
      },
    );
    await story.open();
    await story.say();
    const types = (await story.events()).map(({ type }) => type);
    return types.slice(types.indexOf('AgentSessionClosed') + 1);
  };

  it('remains named if it was ended', async () => {
    expect(await closedUnder('session-destroyed')).to.deep.equal(['TurnSuperseded']);
  });

  it('is lost if it was never requested', async () => {
    expect(await closedUnder('session-timeout')).to.deep.equal(['DriverSessionLost', 'TurnSuperseded']);
  });
});
