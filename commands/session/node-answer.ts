import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';

const silence: DispatchFailure = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};

/**
 * A node's answer. If the node does not answer in time, the operation has failed, and it is unknown whether it ran: the same as
 * for a browser that does not answer.
 */
export async function answerOf<Answer>(
  dispatched: Promise<Answer>,
): Promise<Answer | { readonly outcome: 'failed'; readonly failure: DispatchFailure }> {
  try {
    return await dispatched;
  } catch (error) {
    if (error instanceof NodeSilent) return { outcome: 'failed', failure: silence };
    throw error;
  }
}
