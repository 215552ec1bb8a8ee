import { refuse } from '../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';

/** Seconds after which a client may try again while the event log is away. */
const outageSeconds = 2;

/** Refuses what needs the event log while it is away. `what` begins the sentence. */
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
