import { expect } from 'chai';
import type { AgentSessionEvent, ControlChange } from '../../contracts/events/agent-session.ts';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import type { TurnCommand } from './commands.ts';
import {
  commands,
  events,
  existing,
  heartbeatDueAt,
  leaseExpiresAt,
  otherSession,
  sessionId,
} from './testing.ts';

const { given } = deciderSpec(agentSession);
const pair = events.AgentSessionCreated({ mode: 'pair', attached: sessionId });
const admitted = [events.AgentSessionCreated(), events.TurnAdmitted()] as const;
const decomposed = [...admitted, events.TurnDecomposed()] as const;
const executed = [...decomposed, events.IntentSettled(), events.IntentSettled({ index: 1 })] as const;
const inPair = [pair, events.TurnAdmitted()] as const;
const changes: readonly (readonly [ControlChange, AgentSessionEvent, readonly AgentSessionEvent[]])[] = [
  ['takeover', events.TakeoverRequested({ queued: true, heartbeatDueAt: null }), [events.TakeoverPromoted()]],
  ['handback', events.HandbackRequested({ queued: true, epoch: 2 }), [events.HandbackPromoted()]],
  ['mode', events.ModeChanged({ from: 'pair', mode: 'ai' }), []],
  ['pause', events.AgentSessionPaused(), []],
  ['close', events.AgentSessionClosed(), []],
];

const settlement = { kind: 'plan-executed', ok: true, limit: null, sealedAnswer: 'sealed answer' } as const;

describe('a turn during which control changes', () => {
  /** The events that each step still records; a step that was not started records none. */
  const recording: readonly (readonly [TurnCommand, readonly AgentSessionEvent[]])[] = [
    [commands.ContinueTurn(), []],
    [commands.SpawnDriverSession({ sessionId: otherSession }), []],
    [commands.OpenInitialUrl(), []],
    [commands.SettleIntent(), [events.IntentSettled()]],
    [commands.SettleIntent({ settles: settlement }), [events.IntentSettled()]],
    [commands.RecordReadBack(), [events.TurnReadBack()]],
    [commands.SettleTurn(), []],
    [commands.FailTurn(), []],
  ];
  for (const [cause, change, after] of changes) {
    for (const [command, recorded] of recording) {
      const last = 'settles' in command ? ', its last step' : '';
      it(`by ${cause} ends at ${command.type}${last}, with its completed steps, and promotes what was queued`, () => {
        given(...inPair, events.TurnDecomposed(), change)
          .when(command)
          .then(...recorded, events.TurnSuperseded({ cause, phase: 'executing' }), ...after);
      });
    }
    it(`by ${cause} while it is decomposed ends with the tokens recorded`, () => {
      given(...inPair, change)
        .when(commands.RecordDecomposition())
        .then(events.TurnDecomposed(), events.TurnSuperseded({ cause }), ...after);
    });
  }
  it('says in which phase it was', () => {
    const change = events.ModeChanged({ from: 'pair', mode: 'manual' });
    given(...inPair, events.TurnDecomposed({ intents: 0 }), change)
      .when(commands.SettleTurn())
      .then(events.TurnSuperseded({ cause: 'mode', phase: 'settling' }));
  });
  it('names the latest change if there were several', () => {
    given(
      ...inPair,
      events.TakeoverRequested({ queued: true, heartbeatDueAt: null }),
      events.ModeChanged({ from: 'pair', mode: 'ai', epoch: 3 }),
    )
      .when(commands.ContinueTurn())
      .then(events.TurnSuperseded({ cause: 'mode' }));
  });
  it('debits the tokens of the call in progress from the budget', () => {
    given(...inPair, events.AgentSessionClosed())
      .when(commands.RecordDecomposition())
      .leaves((state) => expect(existing(state).tokensUsed).to.equal(100));
  });
  it('is over after that', () => {
    given(
      ...inPair,
      events.ModeChanged({ from: 'pair', mode: 'ai' }),
      events.TurnSuperseded({ cause: 'mode' }),
    )
      .when(commands.ContinueTurn())
      .refused('conflict', { ai_control_unavailable: true });
  });
  it('stays superseded if the mode is changed back', () => {
    given(...admitted, events.ModeChanged(), events.ModeChanged({ from: 'manual', mode: 'ai', epoch: 3 }))
      .when(commands.SettleTurn())
      .then(events.TurnSuperseded({ cause: 'mode' }));
  });
});

describe('a turn whose process has died', () => {
  const lost = events.ErrorRaised({
    code: 'turn_lost',
    severity: 'error',
    summary: 'The process that ran a turn is gone.',
    detail: 'It is unknown whether the step in progress took effect. The step is not repeated.',
    customerActionable: true,
    retryable: false,
    at: leaseExpiresAt,
  });
  const abandoned = events.TurnAbandoned({ at: leaseExpiresAt });

  it('is abandoned once its lease has run out without a heartbeat', () => {
    given(...admitted)
      .when(commands.AbandonTurn())
      .then(abandoned, lost);
    given(...executed)
      .when(commands.AbandonTurn())
      .then({ ...abandoned, data: { ...abandoned.data, phase: 'settling' } }, lost);
  });
  it('is not abandoned before, nor within a lease after the last heartbeat', () => {
    given(...admitted)
      .when(commands.AbandonTurn({ at: '2026-01-05T12:00:29.999Z' }))
      .nothing();
    given(...admitted)
      .when(
        commands.AbandonTurn({ lastHeartbeatAt: '2026-01-05T12:00:10.000Z', at: '2026-01-05T12:00:39.999Z' }),
      )
      .nothing();
    given(...admitted)
      .when(commands.AbandonTurn({ lastHeartbeatAt: '2026-01-05T12:00:00.000Z' }))
      .then(abandoned, lost);
  });
  it('loses the driver session that the agent session started, and keeps an attached one', () => {
    given(...decomposed, events.DriverSessionSpawned())
      .when(commands.AbandonTurn())
      .then(
        events.TurnAbandoned({ phase: 'executing', at: leaseExpiresAt }),
        lost,
        events.DriverSessionLost({ cause: 'turn_lost', at: leaseExpiresAt }),
      );
    given(...inPair)
      .when(commands.AbandonTurn())
      .then(abandoned, lost);
  });
  it('promotes what was queued behind it', () => {
    given(...inPair, events.TakeoverRequested({ queued: true, heartbeatDueAt: null }))
      .when(commands.AbandonTurn())
      .then(abandoned, lost, events.TakeoverPromoted({ heartbeatDueAt, at: leaseExpiresAt }));
  });
  it('permits the next message, whose driver session is a new one', () => {
    given(...decomposed, events.DriverSessionSpawned())
      .when(commands.AbandonTurn())
      .leaves((state) => {
        const { turn, browser, error } = existing(state);
        expect([turn, browser, error?.code]).to.deep.equal([null, null, 'turn_lost']);
      });
  });
  it('records nothing more, even if its process resumes', () => {
    for (const command of [commands.ContinueTurn(), commands.SettleIntent(), commands.SettleTurn()])
      given(...admitted, abandoned)
        .when(command)
        .refused('conflict', { ai_control_unavailable: true });
  });
  it('ends once, and only if there is one', () => {
    given(...admitted, abandoned)
      .when(commands.AbandonTurn())
      .nothing();
    given(...executed, events.TurnSettled())
      .when(commands.AbandonTurn())
      .nothing();
    given().when(commands.AbandonTurn()).nothing();
  });
  it('ends after its session was closed too', () => {
    given(...decomposed, events.DriverSessionSpawned(), events.AgentSessionClosed())
      .when(commands.AbandonTurn())
      .then(events.TurnAbandoned({ phase: 'executing', at: leaseExpiresAt }), lost);
  });
});
