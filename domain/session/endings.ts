import type { SessionEvent } from '../../contracts/events/session.ts';
import type { DestroyCause, LiveSession } from './state.ts';

type Errored = Extract<SessionEvent, { type: 'SessionErrored' }>;
type Destroyed = Extract<SessionEvent, { type: 'SessionDestroyed' }>;

/** `session.failed` follows from this event. */
export function errored(
  session: LiveSession,
  failure: Omit<Errored['data'], 'sessionId' | 'durationMs'>,
): Errored {
  const { sessionId } = session;
  return {
    type: 'SessionErrored',
    data: { sessionId, durationMs: lifetimeMs(session, failure.at), ...failure },
  };
}

/** `session.completed` follows from this event. */
export function destroyed(session: LiveSession, cause: DestroyCause, at: string): Destroyed {
  const { sessionId } = session;
  return { type: 'SessionDestroyed', data: { sessionId, cause, durationMs: lifetimeMs(session, at), at } };
}

/** Counted from the request, not from readiness; a clock that went back counts as no time. */
const lifetimeMs = (session: LiveSession, at: string): number =>
  Math.max(0, Date.parse(at) - Date.parse(session.createdAt));
