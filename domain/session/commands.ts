import type { SessionEvent } from '../../contracts/events/session.ts';
import type { Id, NodeId, SessionId } from '../../contracts/ids.ts';
import type {
  EgressCapabilities,
  FailureCategory,
  Operation,
  SessionErrorName,
} from '../../contracts/operations.ts';
import type { Challenge } from '../../contracts/webhooks/envelope.ts';
import type { profileSaveFailures } from '../../contracts/webhooks/event-types.ts';
import type { DestroyCause } from './state.ts';

/** `at` is the time of deciding, ISO 8601; every id was made by the caller. */
export type SessionCommand =
  | RequestSession
  | WithdrawSession
  | CompleteCreation
  | FailCreation
  | ExpireCreationLease
  | ClaimOperation
  | SettleOperation
  | FailOperation
  | DestroySession
  | EnforceDurationCap
  | LoseBrowser
  | ReportEgress
  | ReportChallenge
  | ReportProfileSave;

export interface RequestSession {
  readonly type: 'RequestSession';
  readonly request: Extract<SessionEvent, { type: 'SessionRequested' }>['data'];
}

/** Gives an id up whose request is overdue. */
export interface WithdrawSession {
  readonly type: 'WithdrawSession';
  readonly sessionId: SessionId;
  readonly at: string;
}

export interface CompleteCreation {
  readonly type: 'CompleteCreation';
  readonly dispatchId: string;
  /** What the node found of the way out while starting the browser. */
  readonly egress: EgressCapabilities | null;
  readonly at: string;
}

export interface FailCreation {
  readonly type: 'FailCreation';
  readonly dispatchId: string;
  readonly errorName: SessionErrorName;
  readonly at: string;
}

export interface ExpireCreationLease {
  readonly type: 'ExpireCreationLease';
  readonly at: string;
}

export interface ClaimOperation {
  readonly type: 'ClaimOperation';
  readonly operation: Operation;
  readonly dispatchId: string;
  readonly at: string;
}

/** The claimed operation ended and the browser lives on. */
export interface SettleOperation {
  readonly type: 'SettleOperation';
  readonly dispatchId: string;
  readonly epoch: number;
  /** Null: it succeeded. Else the page-level reason. */
  readonly failure: FailureCategory | null;
  readonly at: string;
}

/** The claimed operation took the browser with it. */
export interface FailOperation {
  readonly type: 'FailOperation';
  readonly dispatchId: string;
  readonly epoch: number;
  readonly reason: 'driver_failure' | 'driver_silent';
  readonly at: string;
}

export interface DestroySession {
  readonly type: 'DestroySession';
  readonly cause: Exclude<DestroyCause, 'duration_cap'>;
  readonly at: string;
}

export interface EnforceDurationCap {
  readonly type: 'EnforceDurationCap';
  readonly at: string;
}

/** The browser is gone without being asked to go: it died, or its whole node was lost. */
export interface LoseBrowser {
  readonly type: 'LoseBrowser';
  readonly nodeId: NodeId;
  readonly reason: 'driver_failure' | 'node_lost';
  readonly at: string;
}

export interface ReportEgress {
  readonly type: 'ReportEgress';
  readonly nodeId: NodeId;
  readonly reportId: string;
  readonly capabilities: EgressCapabilities;
  readonly at: string;
}

export interface ReportChallenge {
  readonly type: 'ReportChallenge';
  readonly nodeId: NodeId;
  readonly reportId: string;
  readonly challengeId: string;
  readonly challenge: Challenge;
  readonly at: string;
}

export interface ReportProfileSave {
  readonly type: 'ReportProfileSave';
  readonly nodeId: NodeId;
  readonly reportId: string;
  readonly profileId: Id<'profile'>;
  readonly reason: (typeof profileSaveFailures)[number];
  readonly detail: string;
  readonly at: string;
}
