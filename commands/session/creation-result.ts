import { refuse } from '../../contracts/problems.ts';
import type { Session as SessionBody } from '../../contracts/resources/session.ts';
import type { ExistingSession, Session } from '../../domain/session/state.ts';
import type { Outcome } from '../receipt/index.ts';
import { creationRefusal } from './failures.ts';

/** What became of a creation, read off the stream. A node may be starting the browser; the creation lease bounds how long. */
export function creationResult(session: Session): Outcome<SessionBody> {
  switch (session.status) {
    case 'none':
      return { kind: 'absent' };
    case 'creating':
      return { kind: 'creating' };
    case 'ready':
    case 'busy':
      return { kind: 'created', body: createdBody(session) };
    case 'destroyed':
      if (session.readyAt !== null) return { kind: 'created', body: createdBody(session) };
      return { kind: 'refused', refusal: refuse('session-destroyed') };
    case 'errored':
      if (session.readyAt !== null) return { kind: 'created', body: createdBody(session) };
      return { kind: 'refused', refusal: creationRefusal(session.errorName) };
  }
}

/** The body of the 201, as the session stood the moment it became ready. */
const createdBody = (session: ExistingSession): SessionBody => ({
  id: session.sessionId,
  account_id: session.accountId,
  archetype: session.archetype,
  status: 'ready',
  label: session.label ?? '',
  metadata: { ...session.metadata },
  profile_id: null,
  created_at: session.createdAt,
  updated_at: session.readyAt ?? session.updatedAt,
  ready_at: session.readyAt,
  destroyed_at: null,
  ended_reason: null,
  ...(session.expiresAt === null ? {} : { expires_at: session.expiresAt }),
});
