import type pg from 'pg';
import type { Logger } from 'pino';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { systemPause } from '../../../infra/platform/clock.ts';
import { leadInTerms, type Leader } from '../../../infra/postgres/leadership.ts';
import { follow, waited } from './follower.ts';
import { pauseUntilAsked } from './parked-reactions.ts';
import { Partitions } from './partitions.ts';
import type { ProcessManager } from './process-manager.ts';
import { retryParked, type ReactionPorts } from './reactions.ts';
import type { HostSettings } from './settings.ts';
import { checkpointIn, reactionParkingIn } from './tables.ts';
import { untilFirstFailure } from './until-first-failure.ts';

/** Options of every host of process managers. */
export interface HostOptions extends HostSettings {
  /** Names the host's lock and checkpoint. Of several hosts with the same name on one database, one leads. */
  readonly name: 'processes' | 'deliveries';
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly managers: readonly ProcessManager[];
}

/** Work repeated at an interval while leading. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  /**
   * `term`: the same in all runs of a leader's term, and aborted when it ends. The next term waits for the run, which therefore begins
   * no further items.
   */
  readonly run: (term: AbortSignal) => Promise<void>;
}

/** Closing waits for running reactions; those waiting for a retry are left to the next term. */
export type Host = Leader;

/**
 * Hosts process managers and sweeps. Of several hosts with the same name on one database, one leads; when it ends, another takes
 * over at the checkpoint.
 */
export function startHost(options: HostOptions, ownSweeps: readonly Sweep[] = []): Host {
  const { name, parkedRetryMs } = options;
  const reactions: ReactionPorts = {
    ...options,
    parking: reactionParkingIn(options.pool),
    pause: systemPause,
    partitions: new Partitions(),
  };
  const parked: Sweep = {
    name: 'parked reactions',
    everyMs: parkedRetryMs,
    run: (term) => retryParked(reactions, term),
  };
  return leadInTerms({ ...options, lock: name }, async ({ client, signal, end, progressed }) => {
    progressed();
    // On the lock's connection, so that a host that lost the lock cannot move the checkpoint.
    const following = { ...options, ...reactions, checkpoint: checkpointIn(client, name) };
    const retries = { ...reactions, pause: await pauseUntilAsked(client, reactions.pause) };
    const work = [
      follow(following, signal),
      repeat(parked, retries, signal),
      ...ownSweeps.map((sweep) => repeat(sweep, reactions, signal)),
    ];
    await untilFirstFailure(work, end);
  });
}

/** A failed sweep is logged and retried on the next interval. */
export async function repeat(
  { name, everyMs, run }: Sweep,
  { logger, pause }: ReactionPorts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await run(signal).catch((error: unknown) => logger.warn({ err: error, sweep: name }, 'A sweep failed.'));
    await waited(pause(everyMs, signal));
  }
}
