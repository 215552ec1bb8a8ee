import { expect } from 'chai';
import { presentAgentSession } from '../../contracts/resources/agent-session.ts';
import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { clientId, commands, events, existing, sessionId, uuid } from './testing.ts';

const { given } = deciderSpec(agentSession);
const [asked, promoted, granted] = [
  '2026-01-05T12:00:01.000Z',
  '2026-01-05T12:00:20.000Z',
  '2026-01-05T12:00:40.000Z',
] as const;
const driving = [events.AgentSessionCreated({ mode: 'pair', attached: sessionId })] as const;
const inTurn = [...driving, events.TurnAdmitted()] as const;
const queued = [
  ...inTurn,
  events.TakeoverRequested({ queued: true, heartbeatDueAt: null, at: asked }),
] as const;
const pending = [...queued, events.TurnSuperseded(), events.TakeoverPromoted({ at: promoted })] as const;
const human = [...pending, events.TakeoverGranted({ at: granted })] as const;

const shownAfter = (...history: readonly AgentSessionEvent[]) =>
  presentAgentSession(existing(history.reduce(agentSession.evolve, agentSession.initialState)))
    .pair_mode_state;

describe('the state of pair mode that clients see', () => {
  it('has the time of the takeover’s request, also once that is promoted and granted', () => {
    const request = { requestedByClientId: clientId, requestedAt: asked };
    expect(shownAfter(...queued)).to.deep.equal({ kind: 'takeover-queued', ...request });
    expect(shownAfter(...pending)).to.deep.equal({ kind: 'takeover-pending', ...request });
    expect(shownAfter(...human)).to.deep.equal({ kind: 'human-driving', ...request });
    const named = events.TakeoverRequested({ participant: `customer-${uuid(9)}`, at: granted });
    expect(shownAfter(...pending, named)).to.deep.equal({ kind: 'takeover-pending', ...request });
  });
  it('has the time of the handback’s request, also once that is promoted', () => {
    const at = '2026-01-05T12:01:00.000Z';
    const handingBack = [...human, events.HandbackRequested({ queued: true, at })];
    expect(shownAfter(...handingBack)).to.deep.equal({ kind: 'handback-queued', requestedAt: at });
    const later = events.HandbackPromoted({ at: '2026-01-05T12:01:10.000Z' });
    expect(shownAfter(...handingBack, later)).to.deep.equal({ kind: 'handback-pending', requestedAt: at });
  });
  it('names nobody once the agent session is closed', () => {
    const handingBack = [...human, events.HandbackRequested()];
    for (const history of [driving, queued, pending, human, handingBack])
      expect(shownAfter(...history, events.AgentSessionClosed())).to.deep.equal({ kind: 'ai-driving' });
    expect(shownAfter(events.AgentSessionCreated(), events.AgentSessionClosed())).to.equal(null);
  });
});

describe('the time limit of a client', () => {
  it('is counted from the promotion and from the grant, not from the request', () => {
    for (const [history, at] of [
      [pending, '2026-01-05T12:00:49.999Z'],
      [human, '2026-01-05T12:01:09.999Z'],
    ] as const)
      given(...history)
        .when(commands.ExpireHeartbeat({ at }))
        .nothing();
    const at = '2026-01-05T12:01:10.000Z';
    given(...human)
      .when(commands.ExpireHeartbeat({ at }))
      .then(events.PairModeTimedOut({ at }));
  });
});
