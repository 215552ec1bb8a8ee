import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { sessionErrors, type SessionErrorName } from '../../contracts/operations.ts';
import { refuse, type ProblemSlug, type Refusal } from '../../contracts/problems.ts';

type FailureKind = DispatchFailure['kind'];

/** What the client gets for each way a dispatch can fail (decisions 7, 8, 15 and 17). */
const operationProblems: Record<FailureKind, ProblemSlug> = {
  page: 'driver-error',
  timeout: 'session-timeout',
  unsupported: 'driver-not-integrated',
  unavailable: 'feature-unavailable',
  driver: 'driver-error',
  silent: 'session-timeout',
};

/** A browser that does not start has failed for good, whatever the node's reason (decision 5). */
const creationErrors: Record<FailureKind, SessionErrorName> = {
  page: 'DriverError',
  timeout: 'SessionTimeoutError',
  unsupported: 'DriverNotIntegratedError',
  unavailable: 'DriverNotIntegratedError',
  driver: 'DriverError',
  silent: 'SessionTimeoutError',
};

const creationProblems: Record<SessionErrorName, ProblemSlug> = {
  SessionTimeoutError: 'session-timeout',
  DriverError: 'driver-error',
  DriverNotIntegratedError: 'driver-not-integrated',
  UnknownError: 'driver-error',
};

/** `category` says what about the page it was. There is no `retryable`: a driver-error is never retried blindly. */
export function operationRefusal({ kind, category, reason }: DispatchFailure): Refusal {
  return refuse(operationProblems[kind], reason, kind === 'page' ? { category } : {});
}

export const creationError = (failure: DispatchFailure): SessionErrorName => creationErrors[failure.kind];

export const creationRefusal = (error: SessionErrorName): Refusal =>
  refuse(creationProblems[error], sessionErrors[error]);

export const noNodeFailure: DispatchFailure = {
  kind: 'unsupported',
  category: 'session_error',
  reason: 'No browser node runs this session.',
};

/** A node that does not answer in time is to a session what a browser is that does not: whether it ran is unknown. */
export const silence: DispatchFailure = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};
