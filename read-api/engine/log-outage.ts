import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';
import { unavailable } from '../../infra/http/index.ts';

/** Throws `feature-unavailable` while the event log is unavailable. `what` starts the sentence. */
export async function duringOutage<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) throw error;
    throw unavailable(`${what} cannot be read right now.`);
  }
}
