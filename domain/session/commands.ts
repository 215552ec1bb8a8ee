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
import type { Command, DataOf } from '../kit/decider.ts';
import type { DestroyCause } from './state.ts';

export interface RequestSession {
  readonly type: 'RequestSession';
  readonly request: DataOf<SessionEvent, 'SessionRequested'>;
}
/** Invalidates an id that was reserved for a session and not requested in time. */
export type WithdrawSession = Command<'WithdrawSession', { sessionId: SessionId }>;
export type CompleteCreation = Command<
  'CompleteCreation',
  {
    dispatchId: string;
    /** What the node found out about its network while it started the browser. */
    egress: EgressCapabilities | null;
  }
>;
export type FailCreation = Command<'FailCreation', { dispatchId: string; errorName: SessionErrorName }>;
export type ExpireCreationLease = Command<'ExpireCreationLease'>;

export type ClaimOperation = Command<'ClaimOperation', { operation: Operation; dispatchId: string }>;
/** The claimed operation ended and the browser lives on. */
export type SettleOperation = Command<
  'SettleOperation',
  {
    dispatchId: string;
    epoch: number;
    /** Null: the operation succeeded. Otherwise the page-level reason. */
    failure: FailureCategory | null;
  }
>;
/** The claimed operation ended and the browser is lost. */
export type FailOperation = Command<
  'FailOperation',
  { dispatchId: string; epoch: number; reason: 'driver_failure' | 'driver_silent' }
>;

export type DestroySession = Command<'DestroySession', { cause: Exclude<DestroyCause, 'duration_cap'> }>;
export type EnforceDurationCap = Command<'EnforceDurationCap'>;
/** The browser is gone without having been asked to end: it crashed, or its node was lost. */
export type LoseBrowser = Command<'LoseBrowser', { nodeId: NodeId; reason: 'driver_failure' | 'node_lost' }>;

/** What a node sends on its own about a session that it runs. */
type Report<Type extends string, Fields> = Command<Type, { nodeId: NodeId; reportId: string } & Fields>;
export type ReportEgress = Report<'ReportEgress', { capabilities: EgressCapabilities }>;
export type ReportChallenge = Report<'ReportChallenge', { challengeId: string; challenge: Challenge }>;
export type ReportProfileSave = Report<
  'ReportProfileSave',
  { profileId: Id<'profile'>; reason: (typeof profileSaveFailures)[number]; detail: string }
>;

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
