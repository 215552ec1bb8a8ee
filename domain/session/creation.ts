import type { SessionEvent } from '../../contracts/events/session.ts';
import { refuse } from '../../contracts/problems.ts';
import type {
  CompleteCreation,
  ExpireCreationLease,
  FailCreation,
  RequestSession,
  WithdrawSession,
} from './commands.ts';
import { errored } from './end-events.ts';
import type { Session } from './state.ts';
import { isBefore } from './times.ts';

type Decision = readonly SessionEvent[];

/** The durable reservation: visible to reads from here on. */
export function requestSession(state: Session, { request }: RequestSession): Decision {
  if (state.status !== 'none') throw refuse('conflict', 'The session exists already.');
  if (state.isWithdrawn) throw refuse('session-timeout', 'The session was not requested in time.');
  return [{ type: 'SessionRequested', data: request }];
}

/**
 * Decided on the same stream as the request, so that one of the two wins, however late the request comes and whatever
 * the clocks say: what was held for the session can be given back.
 */
export function withdrawSession(state: Session, { sessionId, at }: WithdrawSession): Decision {
  if (state.status !== 'none' || state.isWithdrawn) return [];
  return [{ type: 'SessionWithdrawn', data: { sessionId, at } }];
}

/** A creation that lost to an end decides nothing: the state says how it lost. */
export function completeCreation(state: Session, { dispatchId, egress, at }: CompleteCreation): Decision {
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

export function failCreation(state: Session, { dispatchId, errorName, at }: FailCreation): Decision {
  if (state.status !== 'creating' || state.creationDispatchId !== dispatchId) return [];
  return [errored(state, { operation: 'unknown', reason: 'creation_failed', errorName, at })];
}

/** A creation nobody settled is never dispatched again: whether its browser started is unknown. */
export function expireCreationLease(state: Session, { at }: ExpireCreationLease): Decision {
  if (state.status !== 'creating' || isBefore(at, state.leaseExpiresAt)) return [];
  const errorName = 'SessionTimeoutError';
  return [errored(state, { operation: 'unknown', reason: 'lease_expired', errorName, at })];
}
