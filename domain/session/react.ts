import type { SessionEvent } from '../../contracts/events/session.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';

export type SessionReaction =
  /** Free the slot, close the browser. */
  | { readonly type: 'CleanUpSession'; readonly sessionId: SessionId }
  /** A session that was requested while its account was being suspended ends too. */
  | { readonly type: 'EndIfSuspended'; readonly sessionId: SessionId; readonly accountId: AccountId };

/** What has to follow from a session's events, whoever wrote them and whatever crashed since. */
export function reactToSession(event: SessionEvent): readonly SessionReaction[] {
  switch (event.type) {
    case 'SessionRequested': {
      const { sessionId, accountId } = event.data;
      return [{ type: 'EndIfSuspended', sessionId, accountId }];
    }
    case 'SessionErrored':
    case 'SessionDestroyed':
      return [{ type: 'CleanUpSession', sessionId: event.data.sessionId }];
    case 'SessionWithdrawn':
    case 'SessionReady':
    case 'OperationClaimed':
    case 'OperationSettled':
    case 'EgressCapabilitiesReported':
    case 'ChallengeDetected':
    case 'ProfileSaveFailed':
      return [];
  }
}
