import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';
import { unavailable } from '../../infra/http/index.ts';

/** Answers 503 with `Retry-After` if the event log is unavailable; whether a change was made is then unknown. */
export const duringOutage =
  <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await work(...args);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      throw unavailable('Changes cannot be recorded right now.');
    }
  };
