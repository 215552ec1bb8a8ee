import type { Logger } from 'pino';
import { pauseMs, type BackOff } from '../../platform/back-off.ts';
import type { Driver } from './driver.ts';

/** Pauses between attempts to start one. */
const backOff: BackOff = { firstMs: 1_000, longestMs: 30_000 };

/** Checks whether browsers start on this node, by starting one; until then it takes no sessions. */
export function createFirstBrowser(driver: Pick<Driver, 'ready'>, logger: Logger) {
  let failures = 0;
  let started = false;
  let outcome: Promise<void> | undefined;

  return {
    /** Pending during the first attempt. Rejects with the reason of the last failed one. */
    outcome: (): Promise<void> => outcome ?? Promise.reject(new Error('No browser has been started yet.')),
    /** Makes an attempt unless one has succeeded. Returns 0, or the milliseconds until the next attempt. */
    attempt: async (): Promise<number> => {
      if (started) return 0;
      const trial = driver.ready();
      outcome ??= trial;
      try {
        await trial;
        started = true;
        return 0;
      } catch (error) {
        logger.error({ err: error }, 'This node is not ready, because no browser starts on it.');
        return pauseMs(backOff, failures++);
      } finally {
        outcome = trial;
      }
    },
  };
}

export type FirstBrowser = ReturnType<typeof createFirstBrowser>;
