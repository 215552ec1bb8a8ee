import { expect } from 'chai';
import type { AgentSessionEvent, ControlChange } from '../../contracts/events/agent-session.ts';
import { longestTurn, type TurnLimit } from '../../contracts/resources/agent-turn.ts';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { maxIdleRounds, limitReached } from './limits.ts';
import { at, commands, events, existing, sessionId } from './testing.ts';

const { given } = deciderSpec(agentSession);

const admitted = [events.AgentSessionCreated(), events.TurnAdmitted()] as const;
const looks = events.TurnDecomposed({ intents: 1, after: 'look' });
const looked = [...admitted, looks, events.IntentSettled()] as const;
const failed = [
  ...admitted,
  events.TurnDecomposed(),
  events.IntentSettled({ outcome: 'failure', category: 'unknown' }),
] as const;
const second = events.TurnDecomposed({ round: 2 });

const stateAfter = (...history: readonly AgentSessionEvent[]) =>
  existing(history.reduce(agentSession.evolve, agentSession.initialState));

describe('the rounds of a turn', () => {
  it('follow one another if the plan says so, and if an intent failed', () => {
    for (const history of [looked, failed])
      given(...history)
        .when(commands.RecordDecomposition({ round: 2 }))
        .then(second);
  });

  it('end with a completed plan, with a plan after which no round can follow, and with a reply without a plan', () => {
    const ends: readonly (readonly AgentSessionEvent[])[] = [
      [events.TurnDecomposed({ intents: 1 }), events.IntentSettled()],
      [events.TurnDecomposed({ intents: 1, after: null }), events.IntentSettled({ outcome: 'failure' })],
      [events.TurnDecomposed({ decision: 'clarify', intents: 0, after: null })],
    ];
    for (const history of ends) {
      expect(stateAfter(...admitted, ...history).turn?.phase).to.equal('settling');
      given(...admitted, ...history)
        .when(commands.RecordDecomposition({ round: 2 }))
        .nothing();
    }
  });

  it('are decided once each, in order, after the previous one', () => {
    given(...looked)
      .when(commands.RecordDecomposition({ round: 1 }))
      .nothing();
    given(...looked)
      .when(commands.RecordDecomposition({ round: 3 }))
      .nothing();
    given(...admitted, looks)
      .when(commands.RecordDecomposition({ round: 2 }))
      .nothing();
  });

  it('number their intents consecutively, without those that a failure skipped', () => {
    given(...failed, second)
      .when(commands.SettleIntent({ index: 0 }))
      .nothing();
    given(...failed, second)
      .when(commands.SettleIntent({ index: 1 }))
      .then(events.IntentSettled({ index: 1 }));
    expect(stateAfter(...failed, second).turn).to.include({ settled: 1, intents: 3, phase: 'executing' });
    expect(
      stateAfter(...failed, second, events.IntentSettled({ index: 1 }), events.IntentSettled({ index: 2 }))
        .turn,
    ).to.include({ settled: 3, rounds: 2, phase: 'settling' });
  });

  it('may end before their last intent, if something unexpected happened', () => {
    const cut = [...admitted, events.TurnDecomposed(), events.IntentSettled({ endsRound: true })];
    expect(stateAfter(...cut).turn).to.include({ settled: 1, phase: 'decomposing' });
    given(...cut)
      .when(commands.RecordDecomposition({ round: 2 }))
      .then(second);
    given(...admitted, events.TurnDecomposed())
      .when(commands.SettleIntent({ endsRound: true }))
      .then(events.IntentSettled({ endsRound: true }));
  });

  it('each debit their tokens from the budget', () => {
    const { turn, tokensUsed } = stateAfter(...looked, second);
    expect([turn?.tokens, tokensUsed]).to.deep.equal([200, 200]);
  });

  it('settle with the reason why no further one followed', () => {
    const halted = { ok: false, limit: 'rounds' } as const;
    given(...looked)
      .when(commands.SettleTurn(halted))
      .then(events.TurnSettled(halted));
  });

  const pair = events.AgentSessionCreated({ mode: 'pair', attached: sessionId });
  const changes: readonly (readonly [ControlChange, AgentSessionEvent, readonly AgentSessionEvent[]])[] = [
    [
      'takeover',
      events.TakeoverRequested({ queued: true, heartbeatDueAt: null }),
      [events.TakeoverPromoted()],
    ],
    ['mode', events.ModeChanged({ from: 'pair', mode: 'ai' }), []],
    ['pause', events.AgentSessionPaused(), []],
    ['close', events.AgentSessionClosed(), []],
  ];
  for (const [cause, change, after] of changes)
    it(`end with a ${cause} between two of them, while the turn is decomposing`, () => {
      const between = [pair, ...looked.slice(1), change];
      given(...between)
        .when(commands.ContinueTurn())
        .then(events.TurnSuperseded({ cause, phase: 'decomposing' }), ...after);
      given(...between)
        .when(commands.RecordDecomposition({ round: 2 }))
        .then(second, events.TurnSuperseded({ cause, phase: 'decomposing' }), ...after);
    });
});

describe('the limits of the rounds of a turn', () => {
  const deadline = new Date(Date.parse(at) + 1000).toISOString();
  const limit = (
    history: readonly AgentSessionEvent[],
    { rounds = 12, now = at, idle = 0 }: { rounds?: number; now?: string; idle?: number } = {},
  ): TurnLimit | null => limitReached(stateAfter(...history), { rounds, deadline }, { at: now, idle });

  const created = events.AgentSessionCreated({ attached: sessionId });
  const onceLooked = [created, ...looked.slice(1)];

  it('are not reached at first', () => expect(limit(onceLooked)).to.equal(null));
  it('are the end of the browser', () => {
    expect(limit([...onceLooked, events.DriverSessionLost()])).to.equal('browser');
    expect(limit(looked)).to.equal('browser');
  });
  it('are rounds', () => {
    expect(limit(onceLooked, { rounds: 1 })).to.equal('rounds');
    expect(limit(onceLooked, { rounds: 2 })).to.equal(null);
  });
  it('are intents of all rounds together', () => {
    const done = (count: number) => [
      created,
      events.TurnAdmitted(),
      events.TurnDecomposed({ intents: count, after: 'look' }),
      ...Array.from({ length: count }, (_, index) => events.IntentSettled({ index })),
    ];
    expect(limit(done(longestTurn))).to.equal('intents');
    expect(limit(done(longestTurn - 1))).to.equal(null);
  });
  it('are the time', () => expect(limit(onceLooked, { now: deadline })).to.equal('deadline'));
  it("are the session's budget", () => {
    const withBudget = (tokenBudget: number) =>
      limit([events.AgentSessionCreated({ attached: sessionId, tokenBudget }), ...looked.slice(1)]);
    expect([withBudget(100), withBudget(101)]).to.deep.equal(['tokens', null]);
  });
  it('are rounds in a row without effect', () => {
    expect(limit(onceLooked, { idle: maxIdleRounds })).to.equal('circles');
    expect(limit(onceLooked, { idle: maxIdleRounds - 1 })).to.equal(null);
  });
});
