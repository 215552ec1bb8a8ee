import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectorOptions } from './projector-options.ts';
import { term } from './leadership.ts';
import { pauseMs } from '../../infra/platform/back-off.ts';

export type { BatchApplied, ProjectorObserver, ProjectorOptions } from './projector-options.ts';

export interface Projector {
  /** Whether it holds the lock; one that does not stands by. */
  working(): boolean;
  /** Finishes the batch in hand and gives the work up. */
  close(): Promise<void>;
}

/**
 * Keeps the read models up to date for as long as it lives. It works in terms: a term takes a connection and, on it, the
 * lock that lets one projector work; it subscribes from the checkpoint and applies batches on that same connection. So a
 * connection that breaks takes the lock and the unfinished batch with it, and the next term, here or in the projector that
 * stood by, begins at the checkpoint.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const { logger, observer = {}, maxBackoffMs = 5000 } = options;
  const stop = new AbortController();
  let working = false;
  const setWorking = (now: boolean) => {
    if (now !== working) observer.working?.(now);
    working = now;
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        await term(options, stop.signal, {
          began: () => setWorking(true),
          progressed: () => (failures = 0),
        });
      } catch (error) {
        const retryInMs = pauseMs({ firstMs: 50, longestMs: maxBackoffMs }, failures++);
        logger.warn({ err: error, retry_in_ms: retryInMs }, 'The projector lost its term.');
        observer.failed?.(error, retryInMs);
        await delay(retryInMs, undefined, { signal: stop.signal }).catch(() => undefined);
      } finally {
        setWorking(false);
      }
    }
  };
  const ended = run();
  return {
    working: () => working,
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
