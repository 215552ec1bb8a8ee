import type { SessionEvent } from '../../contracts/events/session.ts';
import { refuse } from '../../contracts/problems.ts';
import type {
  ClaimOperation,
  CompleteCreation,
  DestroySession,
  EnforceDurationCap,
  ExpireCreationLease,
  FailCreation,
  FailOperation,
  LoseBrowser,
  ReportEgress,
  RequestSession,
  SessionCommand,
  SettleOperation,
} from './commands.ts';
import { destroyed, errored } from './endings.ts';
import type { BusySession, Session } from './state.ts';

type Decision = readonly SessionEvent[];

/** The rules of the contract's "Session status" table. */
export function decide(command: SessionCommand, state: Session): Decision {
  switch (command.type) {
    case 'RequestSession':
      return requestSession(state, command);
    case 'CompleteCreation':
      return completeCreation(state, command);
    case 'FailCreation':
      return failCreation(state, command);
    case 'ExpireCreationLease':
      return expireCreationLease(state, command);
    case 'ClaimOperation':
      return claimOperation(state, command);
    case 'SettleOperation':
      return settleOperation(state, command);
    case 'FailOperation':
      return failOperation(state, command);
    case 'DestroySession':
      return destroySession(state, command);
    case 'EnforceDurationCap':
      return enforceDurationCap(state, command);
    case 'LoseBrowser':
      return loseBrowser(state, command);
    case 'ReportEgress':
      return reportEgress(state, command);
  }
}

/** The durable reservation: visible to reads from here on. */
function requestSession(state: Session, { type: _, ...data }: RequestSession): Decision {
  if (state.status !== 'none') throw refuse('conflict', 'The session exists already.');
  return [{ type: 'SessionRequested', data }];
}

/** A creation that lost to an end decides nothing: the state says how it lost. */
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

/** A creation nobody settled is never dispatched again: whether its browser started is unknown. */
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
  const { sessionId, claim } = claimed(state, dispatchId, epoch);
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
  const busy = claimed(state, dispatchId, epoch);
  const errorName = reason === 'driver_silent' ? 'SessionTimeoutError' : 'DriverError';
  return [errored(busy, { operation: busy.claim.operation, reason, errorName, at })];
}

/** Only the winner of the present claim may end it; whoever lost the race to an end gets 410. */
function claimed(state: Session, dispatchId: string, epoch: number): BusySession {
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

/** Only the node that runs the browser can lose it. */
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

/** Every report is an event, without change detection, but a report sent twice is one. */
function reportEgress(state: Session, { nodeId, reportId, capabilities, at }: ReportEgress): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy': {
      if (state.nodeId !== nodeId || state.reportIds.includes(reportId)) return [];
      const { sessionId } = state;
      return [{ type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities, at } }];
    }
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}

const isBefore = (at: string, due: string): boolean => Date.parse(at) < Date.parse(due);
const elapsedMs = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));
