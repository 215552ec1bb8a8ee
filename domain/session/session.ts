import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { NodeId, SessionId } from '../../contracts/ids.ts';
import {
  storageWarning,
  type EgressCapabilities,
  type FailureCategory,
  type Operation,
} from '../../contracts/operations.ts';
import { refuse } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from '../kit/decider.ts';
import { decideIdle } from '../kit/idle.ts';
import { isBefore } from '../kit/time.ts';
import {
  evolve,
  isInUse,
  isLive,
  type BusySession,
  type ExistingSession,
  type LiveSession,
  type Recorded,
  type Session,
} from './state.ts';

/** An unsolicited message of a node about a session that it runs: the recorded fields without the session's id. */
type ReportOf<Type extends 'EgressCapabilitiesReported' | 'ChallengeDetected' | 'ProfileSaveFailed'> = {
  nodeId: NodeId;
} & Omit<Recorded<Type>, 'sessionId'>;

/** Every cause but the duration cap, which depends on the account's tier. */
export type DestroyCause = Exclude<Recorded<'SessionDestroyed'>['cause'], 'duration_cap'>;

export type SessionCommand =
  | { readonly type: 'RequestSession'; readonly request: Recorded<'SessionRequested'> }
  | CommandsOf<{
      /** Invalidates an id that was reserved for a session and not requested in time. */
      WithdrawSession: { sessionId: SessionId };
      /** `egress`: the network properties that the node detected while it started the browser. */
      CompleteCreation: { dispatchId: string; egress: EgressCapabilities | null };
      FailCreation: { dispatchId: string; errorName: Recorded<'SessionErrored'>['errorName'] };
      ExpireCreationLease: unknown;
      ClaimOperation: { operation: Operation; dispatchId: string };
      /** The claimed operation ended and the browser is still running. `failure`: the page-level reason; null after a success. */
      SettleOperation: { dispatchId: string; epoch: number; failure: FailureCategory | null };
      /** The claimed operation ended and the browser is lost. */
      FailOperation: { dispatchId: string; epoch: number; reason: 'driver_failure' | 'driver_silent' };
      DestroySession: { cause: DestroyCause };
      /** `tier`: the account's current tier. It may have no cap, because the account may have paid since. */
      EnforceDurationCap: { tier: Tier };
      /** `lastUseAt`: the latest activity outside the stream, of watchers and agents. */
      EnforceIdleTimeout: { lastUseAt: string | null };
      /** The browser ended unexpectedly: it crashed, or its node was lost. */
      LoseBrowser: { nodeId: NodeId; reason: 'driver_failure' | 'node_lost' };
      ReportEgress: ReportOf<'EgressCapabilitiesReported'>;
      ReportChallenge: ReportOf<'ChallengeDetected'>;
      ReportProfileSave: ReportOf<'ProfileSaveFailed'>;
    }>;

const rules: Rules<Session, SessionCommand, SessionEvent> = {
  /** The session is durable, and visible to reads, before its browser is started. */
  RequestSession(state, { request }) {
    if (state.status !== 'none') throw refuse('conflict', 'The session already exists.');
    if (state.isWithdrawn) throw refuse('session-timeout', 'The session was not requested in time.');
    return [{ type: 'SessionRequested', data: request }];
  },
  /**
   * Withdrawal and request are decided on one stream, so that exactly one of them wins, however late the request comes and
   * whatever the clocks say. After a withdrawal the session's reservations can be released safely.
   */
  WithdrawSession(state, { sessionId, at }) {
    if (state.status !== 'none' || state.isWithdrawn) return [];
    return [{ type: 'SessionWithdrawn', data: { sessionId, at } }];
  },
  /** A creation that finishes after the session ended does nothing; the state has the reason of the end. */
  CompleteCreation(state, { dispatchId, egress, at }) {
    if (state.status !== 'creating' || state.creationDispatchId !== dispatchId) return [];
    const { sessionId } = state;
    const ready: SessionEvent = { type: 'SessionReady', data: { sessionId, at } };
    if (egress === null) return [ready];
    const data = { sessionId, reportId: dispatchId, capabilities: egress, at };
    return [ready, { type: 'EgressCapabilitiesReported', data }];
  },
  FailCreation(state, { dispatchId, errorName, at }) {
    if (state.status !== 'creating' || state.creationDispatchId !== dispatchId) return [];
    return [errored(state, { operation: 'unknown', reason: 'creation_failed', errorName, at })];
  },
  /** An expired creation is not dispatched again: whether its browser started is unknown. */
  ExpireCreationLease(state, { at }) {
    if (state.status !== 'creating' || isBefore(at, state.leaseExpiresAt)) return [];
    const errorName = 'SessionTimeoutError';
    return [errored(state, { operation: 'unknown', reason: 'lease_expired', errorName, at })];
  },
  /**
   * Claims the browser for one operation. Refused unless the session is ready, so at most one caller dispatches.
   * Idempotent for the dispatch that holds the claim.
   */
  ClaimOperation(state, { operation, dispatchId, at }) {
    const { sessionId, status, epoch, claim: holder } = live(state);
    if (holder?.dispatchId === dispatchId) return [];
    if (status !== 'ready') throw refuse('conflict', `The session is ${status}.`);
    const claim = { sessionId, operation, dispatchId, epoch: epoch + 1, at };
    return [{ type: 'OperationClaimed', data: claim }];
  },
  SettleOperation(state, { dispatchId, epoch, failure, at }) {
    const { sessionId, claim } = claimedBy(state, dispatchId, epoch);
    const outcome = failure === null ? 'succeeded' : 'failed';
    const ended = { outcome, failureCategory: failure, durationMs: elapsedMs(claim.at, at), at } as const;
    const data = { sessionId, operation: claim.operation, dispatchId, epoch, ...ended };
    return [{ type: 'OperationSettled', data }];
  },
  FailOperation(state, { dispatchId, epoch, reason, at }) {
    const busy = claimedBy(state, dispatchId, epoch);
    const errorName = reason === 'driver_silent' ? 'SessionTimeoutError' : 'DriverError';
    return [errored(busy, { operation: busy.claim.operation, reason, errorName, at })];
  },
  DestroySession(state, { cause, at }) {
    if (state.status === 'none') throw refuse('not-found');
    return isLive(state) ? [destroyed(state, cause, at)] : [];
  },
  EnforceDurationCap(state, { tier, at }) {
    if (!isLive(state) || state.expiresAt === null || isBefore(at, state.expiresAt)) return [];
    if (!tierLimits[tier].sessionsExpire)
      return [{ type: 'DurationCapLifted', data: { sessionId: state.sessionId, at } }];
    return [destroyed(state, 'duration_cap', at)];
  },
  EnforceIdleTimeout(state, { lastUseAt, at }) {
    if (!isLive(state)) return [];
    const comesTo = decideIdle(state, isInUse(state, at) ? at : lastUseAt, at);
    if (comesTo === 'nothing') return [];
    if (comesTo === 'over') return [destroyed(state, 'idle', at)];
    return [{ type: 'IdleTimeoutExtended', data: { sessionId: state.sessionId, ...comesTo, at } }];
  },
  /** Only the node that runs the browser can report it lost. */
  LoseBrowser(state, { nodeId, reason, at }) {
    if (!isLive(state) || state.nodeId !== nodeId) return [];
    const operation = state.status === 'busy' ? state.claim.operation : 'unknown';
    const errorName = reason === 'node_lost' ? 'DriverNotIntegratedError' : 'DriverError';
    return [errored(state, { operation, reason, errorName, at })];
  },
  /** Every report becomes an event, even if nothing changed; a repeated report becomes one. */
  ReportEgress(state, { nodeId, reportId, capabilities, at }) {
    if (!isLive(state) || !isNewReport(state, nodeId, reportId)) return [];
    const { sessionId, egress } = state;
    const reported = withOurWarnings(capabilities, egress);
    return [
      { type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities: reported, at } },
    ];
  },
  ReportChallenge(state, { nodeId, reportId, challengeId, challenge, at }) {
    if (!isLive(state) || !isNewReport(state, nodeId, reportId)) return [];
    const { sessionId } = state;
    return [{ type: 'ChallengeDetected', data: { sessionId, reportId, challengeId, challenge, at } }];
  },
  /** The profile is saved while the session is torn down, so the session may have ended already. */
  ReportProfileSave(state, { nodeId, reportId, profileId, reason, detail, at }) {
    if (state.status === 'none' || !isNewReport(state, nodeId, reportId)) return [];
    const { sessionId } = state;
    return [{ type: 'ProfileSaveFailed', data: { sessionId, reportId, profileId, reason, detail, at } }];
  },
};

/**
 * One browser, from its durable reservation to its end.
 *
 * | state                 | event              | next      |
 * |-----------------------|--------------------|-----------|
 * | none                  | SessionRequested   | creating  |
 * | none                  | SessionWithdrawn   | none      |
 * | creating              | SessionReady       | ready     |
 * | ready                 | OperationClaimed   | busy      |
 * | busy                  | OperationSettled   | ready     |
 * | creating, ready, busy | SessionErrored     | errored   |
 * | creating, ready, busy | SessionDestroyed   | destroyed |
 *
 * - At most one operation holds the browser; only its own dispatch and epoch end its claim.
 * - An ended session accepts nothing but the outcome of saving its profile.
 * - A withdrawn id stays `none` and can no longer be requested.
 */
export const session: Decider<Session, SessionCommand, SessionEvent> = {
  category: sessionEvents,
  initialState: { status: 'none', isWithdrawn: false },
  decide: decideBy(rules),
  evolve,
};

/** Returns the session; refuses `session-destroyed` (410) if it has ended. */
function live(state: Session): LiveSession {
  if (isLive(state)) return state;
  throw refuse(state.status === 'none' ? 'not-found' : 'session-destroyed');
}

/** The session if the caller holds its claim. */
function claimedBy(state: Session, dispatchId: string, epoch: number): BusySession {
  const session = live(state);
  if (session.status !== 'busy') throw refuse('conflict', 'The operation does not hold the session.');
  if (session.claim.dispatchId === dispatchId && session.claim.epoch === epoch) return session;
  throw refuse('conflict', 'Another operation holds the session.');
}

/** The launch's warnings stay, whatever the browser detects later. */
const withOurWarnings = (
  capabilities: EgressCapabilities,
  before: EgressCapabilities | null,
): EgressCapabilities => {
  const ours = before?.warnings.includes(storageWarning) ? [storageWarning] : [];
  return { ...capabilities, warnings: [...new Set([...capabilities.warnings, ...ours])] };
};

/** True unless the report was recorded before, or is from another node than the browser's. */
const isNewReport = (state: ExistingSession, nodeId: NodeId, reportId: string): boolean =>
  state.nodeId === nodeId && !state.reportIds.includes(reportId);

/** The duration counts from the request, not from readiness. */
const errored = (
  { sessionId, createdAt }: LiveSession,
  failure: Omit<Recorded<'SessionErrored'>, 'sessionId' | 'durationMs'>,
): SessionEvent => ({
  type: 'SessionErrored',
  data: { sessionId, durationMs: elapsedMs(createdAt, failure.at), ...failure },
});

const destroyed = (
  { sessionId, createdAt }: LiveSession,
  cause: Recorded<'SessionDestroyed'>['cause'],
  at: string,
): SessionEvent => ({
  type: 'SessionDestroyed',
  data: { sessionId, cause, durationMs: elapsedMs(createdAt, at), at },
});

/** In milliseconds; zero if the clock was set back. */
const elapsedMs = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));
