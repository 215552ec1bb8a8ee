import { expect } from 'chai';
import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { timersOf } from '../kit/timer.ts';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, existing, failure, otherSession, otherTurn, sessionId } from './testing.ts';

const { given } = deciderSpec(agentSession);

const created = events.AgentSessionCreated();
const pair = events.AgentSessionCreated({ mode: 'pair', attached: sessionId });
const admitted = [created, events.TurnAdmitted()] as const;
const decomposed = [...admitted, events.TurnDecomposed()] as const;
const executed = [...decomposed, events.IntentSettled(), events.IntentSettled({ index: 1 })] as const;

describe('a message', () => {
  it('is logged in manual mode, and nothing else', () => {
    given(events.AgentSessionCreated({ mode: 'manual' }))
      .when(commands.AdmitMessage())
      .then(events.MessageLogged());
  });
  it('is a turn in ai mode, and in pair mode while the agent drives', () => {
    given(created).when(commands.AdmitMessage()).then(events.TurnAdmitted());
    given(pair).when(commands.AdmitMessage()).then(events.TurnAdmitted());
  });
  it('is handled by the current mode', () => {
    given(created, events.ModeChanged()).when(commands.AdmitMessage()).then(events.MessageLogged());
    given(created, events.ModeChanged(), events.ModeChanged({ from: 'manual', mode: 'ai', epoch: 3 }))
      .when(commands.AdmitMessage())
      .then(events.TurnAdmitted({ epoch: 3 }));
  });
  it('is admitted once', () => {
    given(...admitted)
      .when(commands.AdmitMessage())
      .nothing();
    given(...admitted, events.TurnSettled())
      .when(commands.AdmitMessage())
      .nothing();
    given(events.AgentSessionCreated({ mode: 'manual' }), events.MessageLogged())
      .when(commands.AdmitMessage())
      .nothing();
  });
  it('is refused while a turn is under way, with its phase', () => {
    const next = commands.AdmitMessage({ turnId: otherTurn });
    given(...admitted)
      .when(next)
      .refused('conflict', { phase: 'decomposing' });
    given(...decomposed)
      .when(next)
      .refused('conflict', { phase: 'executing' });
    given(...executed)
      .when(next)
      .refused('conflict', { phase: 'settling' });
  });
  it('is refused while a person has control, or is about to', () => {
    const takeover = [pair, events.TakeoverRequested()];
    const human = [...takeover, events.TakeoverGranted()];
    const inTurn = [pair, events.TurnAdmitted()];
    const histories = [
      takeover,
      human,
      [...human, events.HandbackRequested()],
      [...inTurn, events.TakeoverRequested({ queued: true, heartbeatDueAt: null })],
      [
        ...inTurn,
        events.TakeoverRequested(),
        events.TakeoverGranted(),
        events.HandbackRequested({ queued: true }),
      ],
    ];
    for (const history of histories)
      given(...history)
        .when(commands.AdmitMessage({ turnId: otherTurn }))
        .refused('conflict', { ai_control_unavailable: true });
  });
  it('is refused by a session that is paused or closed, in any mode', () => {
    for (const mode of ['ai', 'manual', 'pair'] as const) {
      const opened = events.AgentSessionCreated({ mode, attached: sessionId });
      given(opened, events.AgentSessionPaused())
        .when(commands.AdmitMessage())
        .refused('conflict', { agent_session_status: 'paused' });
      given(opened, events.AgentSessionClosed())
        .when(commands.AdmitMessage())
        .refused('conflict', { agent_session_status: 'closed' });
    }
    given().when(commands.AdmitMessage()).refused('not-found');
  });
  it('is refused if the attached driver session has ended, which the refusal names', () => {
    given(pair, events.DriverSessionLost())
      .when(commands.AdmitMessage())
      .refused('conflict', { service_session_id: sessionId });
    given(events.AgentSessionCreated({ mode: 'manual', attached: sessionId }), events.DriverSessionLost())
      .when(commands.AdmitMessage())
      .then(events.MessageLogged());
  });
});

describe('the lease of a turn', () => {
  it('sets no wake-up, unlike the time that a person has to send a heartbeat', () => {
    expect(timersOf(events.TurnAdmitted())).to.deep.equal([]);
    expect(timersOf(events.TakeoverGranted())).to.have.length(1);
  });
});

describe('an exhausted budget', () => {
  const spent = [
    events.AgentSessionCreated({ tokenBudget: 150 }),
    events.TurnAdmitted(),
    events.TurnDecomposed({ decision: 'answer', intents: 0 }),
    events.TurnReadBack(),
    events.TurnSettled(),
  ] as const;

  it('has the turn admitted, refused and the session closed in one append', () => {
    given(...spent)
      .when(commands.AdmitMessage({ turnId: otherTurn }))
      .then(
        events.TurnAdmitted({ turnId: otherTurn, entryIndex: 2 }),
        events.TurnSettled({
          ...{ turnId: otherTurn, entryIndex: 3, sealedAnswer: 'sealed exhausted' },
          ...{ kind: 'refuse', ok: false },
        }),
        events.AgentSessionClosed({ reason: 'budget-exhausted' }),
      );
  });
  it('lets messages of manual mode through', () => {
    given(...spent, events.ModeChanged())
      .when(commands.AdmitMessage({ turnId: otherTurn }))
      .then(events.MessageLogged({ turnId: otherTurn, entryIndex: 2 }));
  });
  it('permits one more turn as long as anything is left', () => {
    given(events.AgentSessionCreated({ tokenBudget: 101 }), ...decomposed.slice(1), events.TurnSettled())
      .when(commands.AdmitMessage({ turnId: otherTurn }))
      .then(events.TurnAdmitted({ turnId: otherTurn, entryIndex: 2 }));
  });
});

describe('a turn', () => {
  it('continues without a change of control', () => {
    given(...admitted)
      .when(commands.ContinueTurn())
      .nothing();
  });
  it('goes from decomposing over executing to settling, or to decomposing if an intent failed', () => {
    const phaseAfter = (...history: readonly AgentSessionEvent[]) =>
      existing(history.reduce(agentSession.evolve, agentSession.initialState)).turn?.phase;
    expect(phaseAfter(...admitted)).to.equal('decomposing');
    expect(phaseAfter(...decomposed)).to.equal('executing');
    expect(phaseAfter(...decomposed, events.IntentSettled())).to.equal('executing');
    expect(phaseAfter(...executed)).to.equal('settling');
    expect(phaseAfter(...decomposed, events.IntentSettled({ outcome: 'failure' }))).to.equal('decomposing');
    expect(phaseAfter(...admitted, events.TurnDecomposed({ intents: 0 }))).to.equal('settling');
  });
  it('debits the tokens of each call from the budget, once', () => {
    given(...admitted)
      .when(commands.RecordDecomposition())
      .then(events.TurnDecomposed());
    given(...decomposed)
      .when(commands.RecordDecomposition())
      .nothing();
    given(...executed)
      .when(commands.RecordReadBack())
      .then(events.TurnReadBack());
    given(...executed, events.TurnReadBack())
      .when(commands.RecordReadBack())
      .nothing();
    given(...executed)
      .when(commands.RecordReadBack())
      .leaves((state) => expect(existing(state).tokensUsed).to.equal(200));
  });
  it('records the result of each intent once, in their order', () => {
    given(...decomposed)
      .when(commands.SettleIntent())
      .then(events.IntentSettled());
    given(...decomposed, events.IntentSettled())
      .when(commands.SettleIntent())
      .nothing();
    given(...decomposed, events.IntentSettled())
      .when(commands.SettleIntent({ index: 1, outcome: 'failure', category: 'element_not_found' }))
      .then(events.IntentSettled({ index: 1, outcome: 'failure', category: 'element_not_found' }));
  });
  it('names the driver session before it is started, one at a time', () => {
    const spawned = [...decomposed, events.DriverSessionSpawned()] as const;
    given(...decomposed)
      .when(commands.SpawnDriverSession())
      .then(events.DriverSessionSpawned());
    given(...spawned)
      .when(commands.SpawnDriverSession())
      .nothing();
    given(...spawned)
      .when(commands.SpawnDriverSession({ sessionId: otherSession }))
      .nothing();
    given(...spawned, events.DriverSessionLost())
      .when(commands.SpawnDriverSession({ sessionId: otherSession }))
      .then(events.DriverSessionSpawned({ sessionId: otherSession }));
  });
  it('opens the initial address once', () => {
    const opens = [events.AgentSessionCreated({ opensInitialUrl: true }), ...decomposed.slice(1)];
    given(...opens)
      .when(commands.OpenInitialUrl())
      .then(events.InitialUrlOpened());
    given(...opens, events.InitialUrlOpened())
      .when(commands.OpenInitialUrl())
      .nothing();
    given(...decomposed)
      .when(commands.OpenInitialUrl())
      .nothing();
  });
  it('ends settled, with the next entry of the transcript', () => {
    given(...executed)
      .when(commands.SettleTurn())
      .then(events.TurnSettled());
    given(...executed)
      .when(commands.SettleTurn())
      .leaves((state) => {
        const { turn, entries } = existing(state);
        expect([turn, entries]).to.deep.equal([null, 2]);
      });
  });
  it('ends settled with its last step, in one append', () => {
    const { kind, ok, limit, sealedAnswer } = commands.SettleTurn();
    const settles = { kind, ok, limit, sealedAnswer };
    given(...decomposed, events.IntentSettled())
      .when(commands.SettleIntent({ index: 1, settles }))
      .then(events.IntentSettled({ index: 1 }), events.TurnSettled());
    given(...decomposed, events.IntentSettled())
      .when(commands.SettleIntent({ settles }))
      .nothing();
  });
  it('ends with a problem, and the failure that is shown', () => {
    given(...admitted)
      .when(commands.FailTurn())
      .then(events.TurnFailed());
    given(...admitted)
      .when(commands.FailTurn({ problem: 'model-unavailable', failure }))
      .then(events.TurnFailed({ problem: 'model-unavailable' }), events.ErrorRaised());
  });
  it('permits the next one, whose entries follow', () => {
    given(...executed, events.TurnSettled())
      .when(commands.AdmitMessage({ turnId: otherTurn }))
      .then(events.TurnAdmitted({ turnId: otherTurn, entryIndex: 2 }));
  });
});
