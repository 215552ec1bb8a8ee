import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { clientId, commands, events, heartbeatDueAt, resumeUntil } from './testing.ts';

const { given } = deciderSpec(agentSession);
const time = (minutes: string) => `2026-01-05T12:${minutes}:00.000Z`;
const created = events.AgentSessionCreated({ idle: { timeoutMs: 600_000, dueAt: resumeUntil } });
const { EnforceIdleTimeout } = commands;
const extended = (usedAt: string, dueAt: string) => events.AgentIdleTimeoutExtended({ usedAt, dueAt });
const closed = events.AgentSessionClosed({ reason: 'idle', at: resumeUntil });

describe('the idle timeout of an agent session', () => {
  it('closes an unused one', () => {
    given(created).when(EnforceIdleTimeout()).then(closed);
    given(created)
      .when(EnforceIdleTimeout({ at: time('09') }))
      .nothing();
  });
  it('counts from its latest message, and from any other activity of a person', () => {
    const at = time('04');
    for (const use of [
      events.MessageLogged({ at }),
      events.TurnSettled({ at }),
      events.ModeChanged({ at }),
      events.BrowserChanged({ at }),
      events.LinkCreated({ at }),
    ])
      given(created, use)
        .when(EnforceIdleTimeout())
        .then(extended(at, time('14')));
  });
  it('does not count events without a person', () => {
    const at = time('04');
    for (const event of [
      events.ErrorRaised({ at }),
      events.DriverSessionLost({ at }),
      events.DrainAnnounced({ at }),
      events.TakeoverExpired({ at }),
      events.MessageWithdrawn({ at }),
    ])
      given(created, event).when(EnforceIdleTimeout()).then(closed);
  });
  it('counts operations of its driver session and people who watch', () => {
    given(created)
      .when(EnforceIdleTimeout({ lastUseAt: time('08') }))
      .then(extended(time('08'), time('18')));
  });
  it('does not end during a turn, or while a person has control', () => {
    const later = extended(resumeUntil, time('20'));
    given(created, events.TurnAdmitted()).when(EnforceIdleTimeout()).then(later);
    given(
      created,
      events.ModeChanged({ mode: 'pair' }),
      events.TakeoverRequested({ clientId, heartbeatDueAt }),
    )
      .when(EnforceIdleTimeout())
      .then(later);
  });
  it('ends once, and exists only if it was requested', () => {
    given(created, closed).when(EnforceIdleTimeout()).nothing();
    given(events.AgentSessionCreated()).when(EnforceIdleTimeout()).nothing();
    given().when(EnforceIdleTimeout()).nothing();
  });
  it('starts again at an extension', () => {
    given(created, extended(time('08'), time('18')))
      .when(EnforceIdleTimeout({ at: time('18') }))
      .then(events.AgentSessionClosed({ reason: 'idle', at: time('18') }));
  });
});
