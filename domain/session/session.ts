import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { NodeId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { DataOf, Decider } from '../kit/decider.ts';
import type {
  ClaimOperation,
  CompleteCreation,
  DestroySession,
  EnforceDurationCap,
  ExpireCreationLease,
  FailCreation,
  FailOperation,
  LoseBrowser,
  ReportChallenge,
  ReportEgress,
  ReportProfileSave,
  RequestSession,
  SessionCommand,
  SettleOperation,
  WithdrawSession,
} from './commands.ts';
import {
  evolve,
  isLive,
  type BusySession,
  type DestroyCause,
  type ExistingSession,
  type LiveSession,
  type Session,
} from './state.ts';

type Decision = readonly SessionEvent[];
type CommandType = SessionCommand['type'];
type CommandOf<Type extends CommandType> = {
  [Each in Type]: { readonly type: Each } & Extract<SessionCommand, { type: Each }>;
}[Type];

const rules: { readonly [Type in CommandType]: (state: Session, command: CommandOf<Type>) => Decision } = {
  RequestSession: requestSession,
  WithdrawSession: withdrawSession,
  CompleteCreation: completeCreation,
  FailCreation: failCreation,
  ExpireCreationLease: expireCreationLease,
  ClaimOperation: claimOperation,
  SettleOperation: settleOperation,
  FailOperation: failOperation,
  DestroySession: destroySession,
  EnforceDurationCap: enforceDurationCap,
  LoseBrowser: loseBrowser,
  ReportEgress: reportEgress,
  ReportChallenge: reportChallenge,
  ReportProfileSave: reportProfileSave,
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
  decide: <Type extends CommandType>(command: CommandOf<Type>, state: Session): Decision =>
    rules[command.type](state, command),
  evolve,
};

/** The session is durable, and visible to reads, before its browser is started. */
function requestSession(state: Session, { request }: RequestSession): Decision {
  if (state.status !== 'none') throw refuse('conflict', 'The session exists already.');
  if (state.isWithdrawn) throw refuse('session-timeout', 'The session was not requested in time.');
  return [{ type: 'SessionRequested', data: request }];
}

/**
 * Withdrawal and request are decided on one stream, so that exactly one of them wins, however late the request comes and
 * whatever the clocks say. After a withdrawal the session's reservations can be released safely.
 */
function withdrawSession(state: Session, { sessionId, at }: WithdrawSession): Decision {
  if (state.status !== 'none' || state.isWithdrawn) return [];
  return [{ type: 'SessionWithdrawn', data: { sessionId, at } }];
}

/** A creation that finished after the session ended does nothing: the state says how the session ended. */
function completeCreation(state: Session, { dispatchId, egress, at }: CompleteCreation): Decision {
  if (state.status !== 'creating' || state.creationDispatchId !== dispatchId) return [];
  const { sessionId } = state;
  const ready: SessionEvent = { type: 'SessionReady', data: { sessionId, at } };
  if (egress === null) return [ready];
  const reportId = dispatchId;
  return [
    ready,
    { type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities: egress, at } },
  ];
}

function failCreation(state: Session, { dispatchId, errorName, at }: FailCreation): Decision {
  if (state.status !== 'creating' || state.creationDispatchId !== dispatchId) return [];
  return [errored(state, { operation: 'unknown', reason: 'creation_failed', errorName, at })];
}

/** An expired creation is not dispatched again: whether its browser started is unknown. */
function expireCreationLease(state: Session, { at }: ExpireCreationLease): Decision {
  if (state.status !== 'creating' || isBefore(at, state.leaseExpiresAt)) return [];
  const errorName = 'SessionTimeoutError';
  return [errored(state, { operation: 'unknown', reason: 'lease_expired', errorName, at })];
}

/** Claims the browser for one operation. Refused unless the session is ready, so at most one caller dispatches. */
function claimOperation(state: Session, { operation, dispatchId, at }: ClaimOperation): Decision {
  switch (state.status) {
    case 'ready': {
      const { sessionId } = state;
      const epoch = state.epoch + 1;
      return [{ type: 'OperationClaimed', data: { sessionId, operation, dispatchId, epoch, at } }];
    }
    case 'creating':
    case 'busy':
      throw refuse('conflict', `The session is ${state.status}.`);
    case 'destroyed':
    case 'errored':
      throw refuse('session-destroyed');
    case 'none':
      throw refuse('not-found');
  }
}

function settleOperation(state: Session, { dispatchId, epoch, failure, at }: SettleOperation): Decision {
  const { sessionId, claim } = claimedBy(state, dispatchId, epoch);
  return [
    {
      type: 'OperationSettled',
      data: {
        sessionId,
        operation: claim.operation,
        dispatchId,
        epoch,
        outcome: failure === null ? 'succeeded' : 'failed',
        failureCategory: failure,
        durationMs: elapsedMs(claim.at, at),
        at,
      },
    },
  ];
}

function failOperation(state: Session, { dispatchId, epoch, reason, at }: FailOperation): Decision {
  const busy = claimedBy(state, dispatchId, epoch);
  const errorName = reason === 'driver_silent' ? 'SessionTimeoutError' : 'DriverError';
  return [errored(busy, { operation: busy.claim.operation, reason, errorName, at })];
}

/** The session if the caller holds its claim. A caller whose session ended meanwhile gets 410. */
function claimedBy(state: Session, dispatchId: string, epoch: number): BusySession {
  switch (state.status) {
    case 'busy':
      if (state.claim.dispatchId === dispatchId && state.claim.epoch === epoch) return state;
      throw refuse('conflict', 'Another operation holds the session.');
    case 'creating':
    case 'ready':
      throw refuse('conflict', 'The operation does not hold the session.');
    case 'destroyed':
    case 'errored':
      throw refuse('session-destroyed');
    case 'none':
      throw refuse('not-found');
  }
}

function destroySession(state: Session, { cause, at }: DestroySession): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy':
      return [destroyed(state, cause, at)];
    case 'destroyed':
    case 'errored':
      return [];
    case 'none':
      throw refuse('not-found');
  }
}

function enforceDurationCap(state: Session, { at }: EnforceDurationCap): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy':
      if (state.expiresAt === null || isBefore(at, state.expiresAt)) return [];
      return [destroyed(state, 'duration_cap', at)];
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}

/** Only the node that runs the browser can report it lost. */
function loseBrowser(state: Session, { nodeId, reason, at }: LoseBrowser): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy': {
      if (state.nodeId !== nodeId) return [];
      const operation = state.status === 'busy' ? state.claim.operation : 'unknown';
      const errorName = reason === 'node_lost' ? 'DriverNotIntegratedError' : 'DriverError';
      return [errored(state, { operation, reason, errorName, at })];
    }
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}

/** Every report becomes an event, even when nothing changed; a report that is sent twice becomes one. */
function reportEgress(state: Session, { nodeId, reportId, capabilities, at }: ReportEgress): Decision {
  if (!isLive(state) || !isNewReport(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities, at } }];
}

function reportChallenge(state: Session, command: ReportChallenge): Decision {
  const { nodeId, reportId, challengeId, challenge, at } = command;
  if (!isLive(state) || !isNewReport(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'ChallengeDetected', data: { sessionId, reportId, challengeId, challenge, at } }];
}

/** The profile is saved while the session is torn down, so that the session may have ended already. */
function reportProfileSave(state: Session, command: ReportProfileSave): Decision {
  const { nodeId, reportId, profileId, reason, detail, at } = command;
  if (state.status === 'none' || !isNewReport(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'ProfileSaveFailed', data: { sessionId, reportId, profileId, reason, detail, at } }];
}

/** Only the node that runs the browser may report on it. */
const isNewReport = (state: ExistingSession, nodeId: NodeId, reportId: string): boolean =>
  state.nodeId === nodeId && !state.reportIds.includes(reportId);

/** The duration counts from the request, not from readiness. */
function errored(
  session: LiveSession,
  failure: Omit<DataOf<SessionEvent, 'SessionErrored'>, 'sessionId' | 'durationMs'>,
): SessionEvent {
  const { sessionId } = session;
  return {
    type: 'SessionErrored',
    data: { sessionId, durationMs: elapsedMs(session.createdAt, failure.at), ...failure },
  };
}

function destroyed(session: LiveSession, cause: DestroyCause, at: string): SessionEvent {
  const { sessionId } = session;
  return {
    type: 'SessionDestroyed',
    data: { sessionId, cause, durationMs: elapsedMs(session.createdAt, at), at },
  };
}

const isBefore = (at: string, due: string): boolean => Date.parse(at) < Date.parse(due);

/** Milliseconds; zero when the clock went back. */
const elapsedMs = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));
