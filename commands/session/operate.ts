import { uuidOf } from '../../contracts/ids.ts';
import type { DispatchFailure, OperationOutcome } from '../../contracts/fleet/protocol.ts';
import type { Operation } from '../../contracts/operations.ts';
import { Refusal, refuse, type ProblemSlug } from '../../contracts/problems.ts';
import { session, type SessionCommand } from '../../domain/session/session.ts';
import type { BusySession, Session } from '../../domain/session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import { answerOf, type NoAnswer, type Unanswered } from './node-answer.ts';
import type { OwnedSession, SessionPorts } from './ports.ts';
import { releaseHeld } from './release.ts';
import { defaultTimeLimit } from './time-limit.ts';

/** The operation's request body, validated, defaults filled in, except for that of `timeout_ms`. */
export type OperationInput = Readonly<Record<string, unknown>> & { readonly timeout_ms?: number };

/**
 * Claims the browser, has its node run one operation and settles the claim.
 *
 * After a crash between claim and settle, the session stays busy, as the contract says: whether the operation ran is unknown, so
 * it is never dispatched again; DELETE ends the session. After the settle, the outcome is in the log. An end during the operation
 * wins: the operation is refused with `session-destroyed`, unless the session ended because its browser was lost, which is the
 * operation's own failure.
 */
export async function attempt(
  ports: SessionPorts,
  caller: Pick<Caller, 'context'>,
  owned: OwnedSession,
  operation: Operation,
  input: OperationInput,
): Promise<Attempted> {
  const busy = await claim(ports, caller, owned, operation);
  const dispatched = await dispatch(ports, busy, input);
  const command = settlement(busy, dispatched, now(ports));
  const step = stepContext(caller.context, 'settle-operation');
  const { state, position } = await ports.runner
    .run(session, uuidOf(owned.id), command, step)
    .catch((error: unknown) => lostMeanwhile(ports, owned, dispatched, error));
  const ended = state.status === 'errored';
  if (ended) {
    ports.logger.warn({ session: owned.id, node: busy.nodeId, operation, dispatched }, 'A browser was lost.');
    await releaseHeld(ports, state, caller.context);
  }
  return { dispatched, ended, position };
}

/** The session ended while its browser ran the operation. Every other refusal of `attempt` comes before the dispatch. */
export class EndedMeanwhile extends Refusal {}

/** The session, if the settle was refused because the loss of the browser is recorded already. Throws for any other error. */
async function lostMeanwhile(
  { runner }: SessionPorts,
  { id }: OwnedSession,
  dispatched: Dispatched,
  error: unknown,
): Promise<{ readonly state: Session; readonly position: undefined }> {
  if (!(error instanceof Refusal)) throw error;
  const { state } = await runner.load(session, uuidOf(id));
  if (state.status === 'errored' && lossOf(dispatched) !== null) return { state, position: undefined };
  throw new EndedMeanwhile(error.slug, error.message, error.extensions);
}

type Dispatched = OperationOutcome | NoAnswer;

export interface Attempted {
  readonly dispatched: Dispatched;
  /** Whether the failure ended the session. */
  readonly ended: boolean;
  readonly position: Position | undefined;
}

/** The same, but throws failures as refusals. `result`: the node's result body of the operation. */
export async function operate(
  ports: SessionPorts,
  caller: Caller,
  owned: OwnedSession,
  operation: Operation,
  input: OperationInput,
) {
  const { dispatched, ended, position } = await attempt(ports, caller, owned, operation, input);
  if (dispatched.outcome === 'succeeded') return { result: dispatched.result, position };
  const { failure } = dispatched;
  throw refusalOf(ended ? { ...failure, reason: `${failure.reason} The session has ended.` } : failure);
}

/** Errors that only the browser detects, such as an invalid selector, are still the request's. */
function refusalOf({ kind, category, reason, retryAfterSeconds }: Unanswered): Refusal {
  if (retryAfterSeconds !== undefined)
    return refuse(operationProblems[kind], reason, { retry_after_seconds: retryAfterSeconds });
  if (kind !== 'page') return refuse(operationProblems[kind], reason);
  // Never `retryable`: a driver-error is not retried blindly.
  return category === 'invalid_request'
    ? refuse('bad-request', reason)
    : refuse(operationProblems.page, reason, { category });
}

/** The refusal for each way that a dispatch can fail (docs/decisions/0010-how-a-failed-operation-answers.md). */
const operationProblems: Record<DispatchFailure['kind'], ProblemSlug> = {
  page: 'driver-error',
  timeout: 'session-timeout',
  unsupported: 'driver-not-integrated',
  unavailable: 'feature-unavailable',
  driver: 'driver-error',
  silent: 'session-timeout',
};

const noNodeFailure: DispatchFailure = {
  kind: 'unsupported',
  category: 'session_error',
  reason: 'No browser node runs this session.',
};

async function claim(
  ports: SessionPorts,
  { context }: Pick<Caller, 'context'>,
  { id }: OwnedSession,
  operation: Operation,
): Promise<BusySession> {
  const dispatchId = context.commandId;
  const command = { type: 'ClaimOperation', operation, dispatchId, at: now(ports) } as const;
  const step = stepContext(context, 'claim-operation');
  const { state } = await ports.runner.run(session, uuidOf(id), command, step);
  if (state.status === 'busy' && state.claim.dispatchId === dispatchId) return state;
  throw refuse('conflict', `The session is ${state.status}.`);
}

async function dispatch(
  { fleet, limits }: SessionPorts,
  { nodeId, sessionId, claim: { operation, dispatchId } }: BusySession,
  input: OperationInput,
): Promise<Dispatched> {
  if (nodeId === null) return { outcome: 'failed', failure: noNodeFailure };
  const timeout_ms = input.timeout_ms ?? defaultTimeLimit(operation, input, limits.operationTimeoutMs);
  const request = { dispatch_id: dispatchId, operation, input, timeout_ms };
  return answerOf(fleet.operate(nodeId, sessionId, request, timeout_ms + limits.silenceGraceMs));
}

/** A page-level failure releases the browser; a broken or silent browser ends the session. */
function settlement(
  { claim: { dispatchId, epoch } }: BusySession,
  dispatched: Dispatched,
  at: string,
): SessionCommand {
  const ours = { dispatchId, epoch, at };
  if (dispatched.outcome === 'succeeded') return { type: 'SettleOperation', ...ours, failure: null };
  const reason = lossOf(dispatched);
  if (reason !== null) return { type: 'FailOperation', ...ours, reason };
  return { type: 'SettleOperation', ...ours, failure: dispatched.failure.category };
}

/** How the operation lost the browser; null if the browser is still running. */
function lossOf(dispatched: Dispatched): 'driver_silent' | 'driver_failure' | null {
  if (dispatched.outcome === 'succeeded') return null;
  const { kind } = dispatched.failure;
  if (kind === 'silent') return 'driver_silent';
  return kind === 'driver' ? 'driver_failure' : null;
}
