import { setTimeout as delay } from 'node:timers/promises';
import { systemPause } from '../../../infra/platform/clock.ts';
import { Partitions } from './partitions.ts';
import { retryParked, type ReactionPorts } from './reactions.ts';
import type { HostOptions } from './settings.ts';
import { parkingIn } from './tables.ts';
import { lead, type Sweep } from './leadership.ts';
import { pauseMs } from '../../../infra/platform/back-off.ts';

export interface Host {
  /** Whether this host holds the lock; one that does not stands by. */
  working(): boolean;
  /** Lets the reactions under way end or, when they wait for a retry, be taken up by the next term. */
  close(): Promise<void>;
}

/**
 * Hosts process managers, and sweeps, for as long as it lives. Of several hosts of one name on one database one works; when
 * it goes, another takes over at the checkpoint.
 */
export function startHost(options: HostOptions, ownSweeps: readonly Sweep[] = []): Host {
  const { logger, maxBackoffMs, parkedRetryMs } = options;
  const stop = new AbortController();
  const reactions: ReactionPorts = {
    ...options,
    parking: parkingIn(options.pool),
    pause: systemPause,
    partitions: new Partitions(),
  };
  const parked = { name: 'parked reactions', everyMs: parkedRetryMs, run: () => retryParked(reactions) };
  const sweeps = [...ownSweeps, parked];
  let isWorking = false;

  const run = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted; failures += 1) {
      try {
        await lead(options, reactions, sweeps, stop.signal, () => {
          isWorking = true;
          failures = 0;
        });
      } catch (error) {
        logger.warn({ err: error, host: options.name }, 'The process host lost its term.');
      }
      isWorking = false;
      const retryMs = pauseMs({ firstMs: 50, longestMs: maxBackoffMs }, failures);
      await delay(retryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    working: () => isWorking,
    close: () => {
      stop.abort();
      return running;
    },
  };
}
