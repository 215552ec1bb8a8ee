import { expect } from 'chai';
import type { TurnUsage } from '../../contracts/events/agent-session.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { agentWorld, type AgentWorld } from '../agent-session/testing.ts';
import type { OwnedAgentSession } from '../agent-session/index.ts';
import { changeBundledLlm, reserveSpend, returnSpend, spendUuid } from '../bundled-llm.ts';
import { newContext, useStore } from '../session/testing.ts';
import { agentSessionManagers } from './agent-session.ts';

const secondMs = 1000;
const bundled: TurnUsage = {
  ...{ decomposerKind: 'bundled', model: 'claude-haiku-5-5', inputTokens: 90, outputTokens: 10 },
  costCents: 10,
};
const byGrammar: TurnUsage = {
  ...{ decomposerKind: 'deterministic', model: null, inputTokens: null, outputTokens: null },
  costCents: null,
};

describe('the reaction to the end of a turn', () => {
  const opened = useStore();
  let side: AgentWorld;
  let of: OwnedAgentSession;
  beforeEach(async () => {
    side = agentWorld(opened.store);
    of = await side.created();
    const { runner, clock } = side.world;
    const ports = { runner, clock, defaultCapCents: 2000 };
    await changeBundledLlm(ports, of.accountId, { bundled_llm_consent: true }, newContext(of.accountId));
  });

  const eventsOf = async (stream: string): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const event of opened.store.readStream(stream)) events.push(event);
    return events;
  };
  const spending = async (month = '2026-01') =>
    (await eventsOf(`bundled_spend-${spendUuid(of.accountId, month)}`)).map(({ type }) => type);

  /** A turn that has reserved a call of the bundled model. `beganAt`: by default, when it is admitted. */
  const reserved = async (beganAt?: string): Promise<string> => {
    const turnId = await side.turn(of.id);
    const { runner, clock } = side.world;
    const turn = { turnId, beganAt: beganAt ?? side.now() };
    await reserveSpend(
      { runner, clock, defaultCapCents: 2000 },
      of.accountId,
      turn,
      newContext(of.accountId),
    );
    return turnId;
  };
  const stepOf = (turnId: string) => ({
    ...{ turnId, sealedInterrupted: 'sealed', heartbeatDueAt: side.now(), at: side.now() },
  });
  const decomposed = (turnId: string, usage: TurnUsage) => {
    const step = stepOf(turnId);
    const plan = { round: 1, decision: 'plan', intents: 1, after: null, sealedPlan: 'sealed' } as const;
    return side.decide(of.id, { type: 'RecordDecomposition', ...step, ...plan, usage, tokens: 100 });
  };
  /** Reacts to the event, twice, as after a crash. */
  const react = async (end: string) => {
    const ended = (await eventsOf(`agent_session-${uuidOf(of.id)}`)).find(({ type }) => type === end);
    if (ended === undefined) throw new Error(`There is no ${end}.`);
    const managers = agentSessionManagers(side.upkeep, side.world);
    for (const manager of [...managers, ...managers])
      if (manager.types.includes(ended.type)) await manager.handle(ended);
  };
  /** The turn's process is silent for the whole lease. */
  const abandon = async () => {
    side.world.clock.advance(30 * secondMs);
    await side.upkeep.expireTurnLease(of.id, newContext(null));
    await react('TurnAbandoned');
  };
  /** The turn's process dies between the end and the refund. */
  const ends = {
    TurnSettled: (turnId: string) =>
      side.decide(of.id, {
        ...{ type: 'SettleTurn', ...stepOf(turnId), kind: 'plan-executed', ok: false },
        ...{ limit: null, sealedAnswer: 'sealed' },
      }),
    TurnFailed: (turnId: string) =>
      side.decide(of.id, {
        ...{ type: 'FailTurn', ...stepOf(turnId), problem: 'model-unavailable' },
        ...{ sealedAnswer: 'sealed', failure: null },
      }),
    TurnSuperseded: async (turnId: string) => {
      await side.decide(of.id, { type: 'ChangeMode', mode: 'manual', at: side.now() });
      await side.decide(of.id, { type: 'ContinueTurn', ...stepOf(turnId) });
    },
  };

  for (const [end, happens] of Object.entries(ends)) {
    it(`refunds the model's reserved call, once, after ${end}`, async () => {
      await happens(await reserved());
      await react(end);
      expect(await spending()).to.deep.equal(['BundledLlmSpent', 'BundledLlmReturned']);
    });

    it(`refunds nothing after ${end} of a turn that has recorded use of the model`, async () => {
      const turnId = await reserved();
      await decomposed(turnId, bundled);
      await happens(turnId);
      await react(end);
      expect(await spending()).to.deep.equal(['BundledLlmSpent']);
    });
  }

  it('refunds nothing that the turn itself has refunded', async () => {
    const turnId = await reserved();
    await ends.TurnSettled(turnId);
    const { runner, clock } = side.world;
    const turn = { turnId, beganAt: side.now() };
    await returnSpend({ runner, clock }, of.accountId, turn, newContext(of.accountId));
    await react('TurnSettled');
    expect(await spending()).to.deep.equal(['BundledLlmSpent', 'BundledLlmReturned']);
  });

  it('reads no spending of a turn with a key of the account', async () => {
    const turnId = await side.turn(of.id);
    await decomposed(turnId, { ...bundled, decomposerKind: 'own_key' });
    await ends.TurnSettled(turnId);
    const loaded: string[] = [];
    const { runner } = side.world;
    const run: typeof runner.run = (decider, ...more) => {
      loaded.push(decider.category.name);
      return runner.run(decider, ...more);
    };
    side.world = { ...side.world, runner: { ...runner, run } };
    await react('TurnSettled');
    expect(loaded).to.deep.equal([]);
  });

  it('refunds the model’s reserved call, once', async () => {
    await reserved();
    await abandon();
    expect(await spending()).to.deep.equal(['BundledLlmSpent', 'BundledLlmReturned']);
  });

  it('refunds it in the month in which the message arrived', async () => {
    const lastMoment = new Date(Date.UTC(2026, 1) - secondMs);
    side.world.clock.advance(Date.UTC(2026, 1) + secondMs - side.world.clock.now().getTime());
    await reserved(lastMoment.toISOString());
    await abandon();
    expect(await spending('2026-01')).to.deep.equal(['BundledLlmSpent', 'BundledLlmReturned']);
    expect(await spending('2026-02')).to.deep.equal([]);
  });

  it('refunds nothing if the turn has recorded use of the model', async () => {
    await decomposed(await reserved(), bundled);
    await abandon();
    expect(await spending()).to.deep.equal(['BundledLlmSpent']);
  });

  it('refunds it if only the grammar was used', async () => {
    await decomposed(await reserved(), byGrammar);
    await abandon();
    expect(await spending()).to.deep.equal(['BundledLlmSpent', 'BundledLlmReturned']);
  });

  it('refunds nothing that was not reserved', async () => {
    await side.turn(of.id);
    await abandon();
    expect(await spending()).to.deep.equal([]);
  });
});
