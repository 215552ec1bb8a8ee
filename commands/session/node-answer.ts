import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';

const silence: DispatchFailure = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};

/** A node's answer. A node that does not answer in time counts as a browser that does not: failed, and unknown whether it ran. */
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
