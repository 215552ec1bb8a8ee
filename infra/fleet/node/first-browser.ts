import type { Logger } from 'pino';
import { pauseMs, type BackOff } from '../../platform/back-off.ts';
import type { Driver } from './driver.ts';

/** Between two tries to start one. */
const backOff: BackOff = { firstMs: 1_000, longestMs: 30_000 };

/** Whether browsers start on this node, found out by starting one: before that it takes no sessions. */
export function createFirstBrowser(driver: Pick<Driver, 'ready'>, logger: Logger) {
  let failures = 0;
  let started = false;
  let outcome: Promise<void> | undefined;

  return {
    /** Pending while the first try is under way. Rejects with the reason of the last failed one. */
    outcome: (): Promise<void> => outcome ?? Promise.reject(new Error('No browser has been started yet.')),
    /** Tries unless one has started before: 0, or the milliseconds to wait before the next try. */
    attempt: async (): Promise<number> => {
      if (started) return 0;
      const trial = driver.ready();
      outcome ??= trial;
      try {
        await trial;
        started = true;
        return 0;
      } catch (error) {
        logger.error({ err: error }, 'This node is not ready: no browser starts on it.');
        return pauseMs(backOff, failures++);
      } finally {
        outcome = trial;
      }
    },
  };
}

export type FirstBrowser = ReturnType<typeof createFirstBrowser>;
