import { refuse } from '../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';

/** `Retry-After` in seconds while the event log is unavailable. */
const outageSeconds = 2;

/** Throws `feature-unavailable` while the event log is unavailable. `what` starts the sentence. */
export async function duringOutage<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) throw error;
    throw refuse('feature-unavailable', `${what} cannot be read right now. The request may be sent again.`, {
      retry_after_seconds: outageSeconds,
    });
  }
}
