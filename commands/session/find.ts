import { parseId, uuidOf, type AccountId, type SessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { session } from '../../domain/session/session.ts';
import type { Caller } from '../engine/context.ts';
import type { SessionPorts } from './ports.ts';

/** A session that exists and belongs to the caller's account. Only `findSession` makes one. */
export interface OwnedSession {
  readonly id: SessionId;
  readonly accountId: AccountId;
}

/** Another account's session, a missing one and an id that is none are refused alike: nobody learns which exist. */
export async function findSession(
  { runner }: SessionPorts,
  caller: Caller,
  id: string,
): Promise<OwnedSession> {
  const sessionId = parseId('session', id);
  if (sessionId === undefined) throw refuse('not-found');
  const { state } = await runner.load(session, uuidOf(sessionId), { cached: true });
  if (state.status === 'none' || state.accountId !== caller.accountId) throw refuse('not-found');
  return { id: sessionId, accountId: state.accountId };
}
