import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import { NodeNotCalled, NodeSilent } from '../../infra/fleet/control-plane/port.ts';

/** A failure without an answer of the node. */
export interface Unanswered extends DispatchFailure {
  /** Set if nothing was sent, so that the request may be repeated. */
  readonly retryAfterSeconds?: number;
}

export interface NoAnswer {
  readonly outcome: 'failed';
  readonly failure: Unanswered;
}

const silence: Unanswered = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};

/** `retryAfterSeconds`: a node's address is known again with its next heartbeat. */
const notCalled: Unanswered = {
  kind: 'unavailable',
  category: 'session_error',
  reason:
    'The browser’s node cannot be called right now, and nothing was done. The request may be sent again.',
  retryAfterSeconds: 2,
};

/**
 * A node's answer. If the node does not answer in time, the operation has failed, and it is unknown whether it ran: the same as
 * for a browser that does not answer. If it could not be called, the operation did not run.
 */
export async function answerOf<Answer>(dispatched: Promise<Answer>): Promise<Answer | NoAnswer> {
  try {
    return await dispatched;
  } catch (error) {
    if (error instanceof NodeSilent) return { outcome: 'failed', failure: silence };
    if (error instanceof NodeNotCalled) return { outcome: 'failed', failure: notCalled };
    throw error;
  }
}
