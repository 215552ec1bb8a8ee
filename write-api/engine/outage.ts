import { refuse } from '../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';

/** Seconds after which a client may try again while the event log is away. */
const retryAfterSeconds = 2;

/** An event log that cannot be reached answers 503 with `Retry-After`; whether a change was made is then not known. */
export const duringOutage =
  <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await work(...args);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      const detail = 'Changes cannot be recorded right now. The request may be sent again.';
      throw refuse('feature-unavailable', detail, { retry_after_seconds: retryAfterSeconds });
    }
  };
