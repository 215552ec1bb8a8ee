import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import type { AgentMode } from '../../contracts/resources/agent-session.ts';
import { deciderSpec } from '../testing/index.ts';
import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { agentSession } from './agent-session.ts';
import { judgeInput } from './pair-mode.ts';
import {
  clientId,
  commands,
  events,
  existing,
  heartbeatDueAt,
  otherClient,
  sessionId,
  uuid,
} from './testing.ts';

const { given } = deciderSpec(agentSession);
const ofMode = (mode: AgentMode) => events.AgentSessionCreated({ mode, attached: sessionId });
const driving = [ofMode('pair')] as const;
const pending = [...driving, events.TakeoverRequested()] as const;
const human = [...pending, events.TakeoverGranted()] as const;
const handingBack = [...human, events.HandbackRequested()] as const;
const inTurn = [...driving, events.TurnAdmitted()] as const;
const queued = [...inTurn, events.TakeoverRequested({ queued: true, heartbeatDueAt: null })] as const;
const winner = { winner_client_id: clientId };

describe('a takeover', () => {
  it('is pending when no turn runs', () => {
    given(...driving)
      .when(commands.TakeOver())
      .then(events.TakeoverRequested());
    given(...driving)
      .when(commands.TakeOver({ trigger: 'input_event' }))
      .then(events.TakeoverRequested({ trigger: 'input_event' }));
  });
  it('is queued behind a turn', () => {
    given(...inTurn)
      .when(commands.TakeOver())
      .then(events.TakeoverRequested({ queued: true, heartbeatDueAt: null }));
  });
  it('makes no event when it is repeated by the same client', () => {
    for (const history of [pending, queued, human])
      given(...history)
        .when(commands.TakeOver())
        .nothing();
  });
  it('is refused to another client, and the refusal names the first one', () => {
    for (const history of [pending, queued, human])
      given(...history)
        .when(commands.TakeOver({ clientId: otherClient }))
        .refused('pair-mode-conflict', winner);
  });
  it('is refused while a handback is pending', () => {
    given(...handingBack)
      .when(commands.TakeOver())
      .refused('pair-mode-invalid-transition', { from: 'handback-pending', transition: 'takeover' });
  });
  it('is refused unless the session is active and in pair mode', () => {
    given(ofMode('ai')).when(commands.TakeOver()).refused('conflict');
    given(ofMode('manual')).when(commands.TakeOver()).refused('conflict');
    given(...driving, events.AgentSessionPaused())
      .when(commands.TakeOver())
      .refused('conflict');
    given(...driving, events.AgentSessionClosed())
      .when(commands.TakeOver())
      .refused('conflict');
    given().when(commands.TakeOver()).refused('not-found');
  });
  it('records the client’s participant in the room, until the agent drives again', () => {
    const participant = `customer-${uuid(9)}`;
    given(...driving)
      .when(commands.TakeOver({ participant }))
      .then(events.TakeoverRequested({ participant }));
    const after = (...more: readonly AgentSessionEvent[]) =>
      existing([...driving, ...more].reduce(agentSession.evolve, agentSession.initialState)).pair
        ?.participant;
    const asked = events.TakeoverRequested({ participant });
    expect(after(asked)).to.equal(participant);
    expect(after(asked, events.TakeoverGranted())).to.equal(participant);
    expect(after(asked, events.TakeoverExpired())).to.equal(undefined);
    expect(after(asked, events.TakeoverGranted(), events.HandbackRequested())).to.equal(undefined);
  });
  it('of the same participant under another client id replaces the former one: its page was reloaded', () => {
    const participant = `customer-${uuid(9)}`;
    const asked = events.TakeoverRequested({ participant });
    const again = { participant, isPresent: true, clientId: otherClient };
    const granted = [...driving, asked, events.TakeoverGranted()];
    for (const history of [[...driving, asked], granted])
      given(...history)
        .when(commands.TakeOver(again))
        .then(events.TakeoverRequested({ participant, clientId: otherClient, epoch: 3 }));
    const behindTurn = events.TakeoverRequested({ participant, queued: true, heartbeatDueAt: null });
    given(...inTurn, behindTurn)
      .when(commands.TakeOver(again))
      .then({ ...behindTurn, data: { ...behindTurn.data, clientId: otherClient, epoch: 3 } });
    given(...granted)
      .when(commands.TakeOver({ ...again, clientId }))
      .nothing();
    for (const other of [
      { ...again, isPresent: false },
      { ...again, participant: `customer-${uuid(8)}` },
    ])
      given(...granted)
        .when(commands.TakeOver(other))
        .refused('pair-mode-conflict', winner);
    given(...pending)
      .when(commands.TakeOver(again))
      .refused('pair-mode-conflict', winner);
  });
  it('is granted while it is pending, to the client that requested it and to no other', () => {
    given(...pending)
      .when(commands.GrantTakeover())
      .then(events.TakeoverGranted());
    given(...pending)
      .when(commands.GrantTakeover({ clientId: otherClient }))
      .nothing();
    for (const history of [driving, queued, human, handingBack])
      given(...history)
        .when(commands.GrantTakeover())
        .nothing();
    given(...pending, events.AgentSessionPaused({ epoch: 3 }))
      .when(commands.GrantTakeover())
      .nothing();
  });
});

describe('a client that is silent', () => {
  it('loses a pending takeover', () => {
    given(...pending)
      .when(commands.ExpireHeartbeat())
      .then(events.TakeoverExpired({ at: heartbeatDueAt }));
  });
  it('loses control', () => {
    given(...human)
      .when(commands.ExpireHeartbeat())
      .then(events.PairModeTimedOut({ at: heartbeatDueAt }));
  });
  it('keeps control for the whole time limit after its last heartbeat', () => {
    const before = '2026-01-05T12:00:29.999Z';
    given(...pending)
      .when(commands.ExpireHeartbeat({ at: before }))
      .nothing();
    given(...human)
      .when(commands.ExpireHeartbeat({ lastHeartbeatAt: '2026-01-05T12:00:00.001Z' }))
      .nothing();
    given(...human)
      .when(commands.ExpireHeartbeat({ lastHeartbeatAt: '2026-01-05T11:00:00.000Z', at: before }))
      .nothing();
  });
  it('loses nothing while its takeover is queued, when it has handed back, or once the session is closed', () => {
    for (const history of [driving, queued, handingBack, [...human, events.AgentSessionClosed()]])
      given(...history)
        .when(commands.ExpireHeartbeat())
        .nothing();
    given().when(commands.ExpireHeartbeat()).nothing();
  });
});

describe('a handback', () => {
  it('is pending when no turn runs', () => {
    given(...human)
      .when(commands.HandBack())
      .then(events.HandbackRequested());
  });
  it('is queued behind a turn', () => {
    given(...inTurn, events.TakeoverRequested(), events.TakeoverGranted())
      .when(commands.HandBack())
      .then(events.HandbackRequested({ queued: true }));
  });
  it('is refused while no person drives, and the refusal names who requested control', () => {
    given(...driving)
      .when(commands.HandBack())
      .refused('pair-mode-conflict', {});
    given(...pending)
      .when(commands.HandBack())
      .refused('pair-mode-conflict', winner);
    given(...queued)
      .when(commands.HandBack())
      .refused('pair-mode-conflict', winner);
    given(...handingBack)
      .when(commands.HandBack())
      .refused('pair-mode-conflict', {});
  });
  it('of a disconnected client has an effect only while that client drives', () => {
    given(...human)
      .when(commands.HandBack({ clientId }))
      .then(events.HandbackRequested());
    given(...human)
      .when(commands.HandBack({ clientId: otherClient }))
      .nothing();
    for (const history of [driving, pending, queued, handingBack])
      given(...history)
        .when(commands.HandBack({ clientId }))
        .nothing();
  });
  it('is refused unless the session is active and in pair mode', () => {
    for (const mode of ['ai', 'manual'] as const)
      given(ofMode(mode)).when(commands.HandBack()).refused('pair-mode-conflict', {});
    given(ofMode('ai')).when(commands.HandBack({ clientId })).refused('conflict');
    given(...human, events.AgentSessionPaused({ epoch: 3 }))
      .when(commands.HandBack())
      .refused('conflict');
  });
  it('returns control to the agent', () => {
    given(...handingBack)
      .when(commands.CompleteHandback())
      .then(events.HandbackCompleted());
    for (const history of [driving, pending, human])
      given(...history)
        .when(commands.CompleteHandback())
        .nothing();
  });
  it('completes the intended handback, and no later one', () => {
    const since = '2026-01-05T12:10:00.000Z';
    const later = [...human, events.HandbackRequested({ at: since })];
    given(...later)
      .when(commands.CompleteHandback({ since }))
      .then(events.HandbackCompleted());
    given(...later)
      .when(commands.CompleteHandback({ since: '2026-01-05T12:09:59.999Z' }))
      .nothing();
  });
});

describe('an input event', () => {
  const stateAfter = (...history: readonly AgentSessionEvent[]) =>
    history.reduce(agentSession.evolve, agentSession.initialState);
  const refusalOf = (history: readonly AgentSessionEvent[], client: string | null) => {
    try {
      judgeInput(stateAfter(...history), client);
    } catch (error) {
      if (error instanceof Refusal) return [error.slug, error.extensions];
      throw error;
    }
    return undefined;
  };

  it('requests control while the agent drives', () => {
    expect(judgeInput(stateAfter(...driving), clientId)).to.equal('takes_over');
    expect(judgeInput(stateAfter(...inTurn), clientId)).to.equal('takes_over');
  });
  it('is a heartbeat of the client that requested control or drives', () => {
    for (const history of [pending, queued, human])
      expect(judgeInput(stateAfter(...history), clientId)).to.equal('heartbeat');
  });
  it('is refused to any other client', () => {
    for (const history of [pending, queued, human])
      expect(refusalOf(history, otherClient)).to.deep.equal(['pair-mode-conflict', winner]);
  });
  it('changes nothing while a handback is pending, or in manual mode', () => {
    expect(judgeInput(stateAfter(...handingBack), clientId)).to.equal('none');
    expect(judgeInput(stateAfter(ofMode('manual')), null)).to.equal('none');
    expect(judgeInput(stateAfter(ofMode('manual')), clientId)).to.equal('none');
  });
  it('is refused in ai mode, and by a session that is not active', () => {
    expect(refusalOf([ofMode('ai')], clientId)?.[0]).to.equal('conflict');
    expect(refusalOf([ofMode('manual'), events.AgentSessionPaused()], clientId)?.[0]).to.equal('conflict');
    expect(refusalOf([...driving, events.AgentSessionClosed()], clientId)?.[0]).to.equal('conflict');
    expect(refusalOf([], clientId)?.[0]).to.equal('not-found');
  });
  it('requires a client id in pair mode', () => {
    expect(refusalOf(driving, null)).to.deep.equal([
      'validation-failed',
      {
        errors: [
          {
            path: '/body/client_id',
            code: 'required',
            message: 'client_id is required in pair mode.',
          },
        ],
      },
    ]);
  });
  it('is refused for a missing client id before the state is considered', () => {
    expect(refusalOf([...driving, events.AgentSessionClosed()], null)?.[0]).to.equal('validation-failed');
  });
});
