import type { SessionEvent } from '../../contracts/events/session.ts';
import type { DestroyCause, LiveSession } from './state.ts';
import { elapsedMs } from './times.ts';

type Errored = Extract<SessionEvent, { type: 'SessionErrored' }>;
type Destroyed = Extract<SessionEvent, { type: 'SessionDestroyed' }>;

/** `session.failed` follows from this event. Its duration counts from the request, not from readiness. */
export function errored(
  session: LiveSession,
  failure: Omit<Errored['data'], 'sessionId' | 'durationMs'>,
): Errored {
  const { sessionId } = session;
  return {
    type: 'SessionErrored',
    data: { sessionId, durationMs: elapsedMs(session.createdAt, failure.at), ...failure },
  };
}

/** `session.completed` follows from this event. */
export function destroyed(session: LiveSession, cause: DestroyCause, at: string): Destroyed {
  const { sessionId } = session;
  return {
    type: 'SessionDestroyed',
    data: { sessionId, cause, durationMs: elapsedMs(session.createdAt, at), at },
  };
}
