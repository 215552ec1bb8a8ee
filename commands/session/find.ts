import type { AccountId, SessionId } from '../../contracts/ids.ts';
import { session } from '../../domain/session/session.ts';
import type { Caller } from '../engine/context.ts';
import { findOwned } from '../engine/find-owned.ts';
import type { SessionPorts } from './ports.ts';

/** A session that exists and belongs to the caller's account. Only `findSession` makes one. */
export interface OwnedSession {
  readonly id: SessionId;
  readonly accountId: AccountId;
}

export async function findSession(
  { runner }: SessionPorts,
  { accountId }: Caller,
  text: string,
): Promise<OwnedSession> {
  const { sessionId: id } = await findOwned(runner, session, 'session', accountId, text, { cached: true });
  return { id, accountId };
}
