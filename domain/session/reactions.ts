import type { SessionEvent } from '../../contracts/events/session.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';

export type SessionReaction =
  /** Releases the slot and the profile, and closes the browser. */
  | { readonly type: 'CleanUpSession'; readonly sessionId: SessionId }
  /** Ends a session that was requested while its account was being suspended. */
  | { readonly type: 'EndIfSuspended'; readonly sessionId: SessionId; readonly accountId: AccountId };

/** The reactions to a session's events, in whatever process they were appended. */
export function reactToSession({ type, data }: SessionEvent): readonly SessionReaction[] {
  if (type === 'SessionRequested')
    return [{ type: 'EndIfSuspended', sessionId: data.sessionId, accountId: data.accountId }];
  if (type === 'SessionErrored' || type === 'SessionDestroyed')
    return [{ type: 'CleanUpSession', sessionId: data.sessionId }];
  return [];
}
