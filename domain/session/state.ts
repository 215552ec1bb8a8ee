import type { AccountId, NodeId, SessionId } from '../../contracts/ids.ts';
import type { EgressCapabilities, Operation, SessionErrorName } from '../../contracts/operations.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import type { Tier } from '../../contracts/tiers.ts';

type DataOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];
export type DestroyCause = DataOf<'SessionDestroyed'>['cause'];
export type ErrorReason = DataOf<'SessionErrored'>['reason'];

/** What stays true of a session whatever its status. Times are ISO 8601. */
export interface SessionFacts {
  readonly sessionId: SessionId;
  readonly accountId: AccountId;
  readonly archetype: string;
  readonly label: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tier: Tier;
  readonly nodeId: NodeId | null;
  /** The one dispatch that may start the browser. */
  readonly creationDispatchId: string;
  readonly leaseExpiresAt: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly readyAt: string | null;
  /** How many claims there have been. A settle of an older claim cannot end a newer one. */
  readonly epoch: number;
  readonly egress: EgressCapabilities | null;
  /** The reports already taken, newest last; only the latest `rememberedReports` of them. */
  readonly reportIds: readonly string[];
  /** The operation that holds the browser; null unless the session is busy. */
  readonly claim: Claim | null;
}

export interface Claim {
  readonly operation: Operation;
  readonly dispatchId: string;
  readonly epoch: number;
  readonly at: string;
}

export interface CreatingSession extends SessionFacts {
  readonly status: 'creating';
}
export interface ReadySession extends SessionFacts {
  readonly status: 'ready';
}
export interface BusySession extends SessionFacts {
  readonly status: 'busy';
  readonly claim: Claim;
}
export interface DestroyedSession extends SessionFacts {
  readonly status: 'destroyed';
  readonly cause: DestroyCause;
  readonly endedAt: string;
}
export interface ErroredSession extends SessionFacts {
  readonly status: 'errored';
  readonly reason: ErrorReason;
  readonly errorName: SessionErrorName;
  readonly endedAt: string;
}

/** A session that holds a slot. */
export type LiveSession = CreatingSession | ReadySession | BusySession;
export const isLive = (state: Session): state is LiveSession =>
  state.status === 'creating' || state.status === 'ready' || state.status === 'busy';

export type EndedSession = DestroyedSession | ErroredSession;
export type ExistingSession = LiveSession | EndedSession;
/** There is no session under the id; one that was withdrawn before it was requested never will be. */
export interface NoSession {
  readonly status: 'none';
  readonly isWithdrawn: boolean;
}
/** The contract's "Session status" table. */
export type Session = NoSession | ExistingSession;

export const noSession: NoSession = { status: 'none', isWithdrawn: false };
