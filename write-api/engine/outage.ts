import { refuse } from '../../contracts/problems.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';

/** `Retry-After` in seconds while the event log is unavailable. */
const retryAfterSeconds = 2;

/** Answers 503 with `Retry-After` if the event log is unavailable; whether a change was made is then unknown. */
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
