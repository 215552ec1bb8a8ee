import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { pauseMs } from '../../../infra/platform/back-off.ts';
import { systemPause } from '../../../infra/platform/clock.ts';
import { takeAdvisoryLock } from '../../../infra/postgres/advisory-lock.ts';
import { follow, waited } from './follower.ts';
import { Partitions } from './partitions.ts';
import type { ProcessManager } from './process-manager.ts';
import { retryParked, type ReactionPorts } from './reactions.ts';
import { checkpointIn, parkingIn } from './tables.ts';
import { untilFirstFailure } from './until-first-failure.ts';

/** Durations in milliseconds. */
export interface HostSettings {
  /** How often parked reactions are tried again. */
  readonly parkedRetryMs: number;
  /** How often the checkpoint is written. */
  readonly checkpointMs: number;
  /** How often a host that stands by asks whether it is needed. */
  readonly standbyMs: number;
  /** The pause after a reaction's first failure; it doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** How often a reaction is tried before it is parked. */
  readonly attempts: number;
  /** Reactions under way at once. One may wait for a node that does not answer. */
  readonly concurrency: number;
}

export const defaultHostSettings: HostSettings = {
  parkedRetryMs: 60_000,
  checkpointMs: 200,
  standbyMs: 500,
  backoffMs: 100,
  maxBackoffMs: 10_000,
  attempts: 8,
  concurrency: 64,
};

/** What every host of process managers has. */
export interface HostOptions extends HostSettings {
  /** Of several hosts of one name on one database one works. It names their lock and their checkpoint. */
  readonly name: 'processes' | 'deliveries';
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly managers: readonly ProcessManager[];
}

/** Work that is looked after again and again during a term. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

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

/**
 * Leads from taking the lock until it is lost, an error, or the signal. The lock and the checkpoint are
 * on one connection, so a host that lost the lock cannot move the checkpoint.
 */
async function lead(
  options: HostOptions,
  reactions: ReactionPorts,
  sweeps: readonly Sweep[],
  signal: AbortSignal,
  began: () => void,
): Promise<void> {
  const { name } = options;
  const client = await options.pool.connect();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  client.once('end', end);
  try {
    await takeAdvisoryLock(client, name, options.standbyMs, signal);
    if (signal.aborted) return;
    began();
    const following = { ...options, ...reactions, checkpoint: checkpointIn(client, name) };
    const work = [
      follow(following, ending.signal),
      ...sweeps.map((sweep) => repeat(sweep, reactions, ending.signal)),
    ];
    await untilFirstFailure(work, end);
  } finally {
    signal.removeEventListener('abort', end);
    // Closing the connection is what gives the lock back.
    client.release(true);
  }
}

/** A failed sweep is logged and retried on the next interval. */
export async function repeat(
  { name, everyMs, run }: Sweep,
  { logger, pause }: ReactionPorts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await run().catch((error: unknown) => logger.warn({ err: error, sweep: name }, 'A sweep failed.'));
    await waited(pause(everyMs, signal));
  }
}
