import type { DispatchFailure } from '../../contracts/fleet/protocol.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';

const silence: DispatchFailure = {
  kind: 'silent',
  category: 'session_error',
  reason: sessionErrors.SessionTimeoutError,
};

/**
 * What a node answered. One that does not answer in time is to a session what a browser is that does not: it failed, and
 * whether it ran is unknown.
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
