import { takeAdvisoryLock } from '../../../infra/postgres/advisory-lock.ts';
import { follow, waited } from './follower.ts';
import type { ReactionPorts } from './reactions.ts';
import type { HostOptions } from './settings.ts';
import { checkpointIn } from './tables.ts';
import { untilFirstFailure } from './until-first-failure.ts';

/** Work that is looked after again and again during a term. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/**
 * Leads from taking the lock until it is lost, an error, or the signal. The lock and the checkpoint are
 * on one connection, so a host that lost the lock cannot move the checkpoint.
 */
export async function lead(
  options: HostOptions,
  reactions: ReactionPorts,
  sweeps: readonly Sweep[],
  signal: AbortSignal,
  began: () => void,
): Promise<void> {
  const { name, checkpointMs, concurrency } = options;
  const client = await options.pool.connect();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  client.once('end', end);
  try {
    await takeAdvisoryLock(client, name, options.standbyMs, signal);
    if (signal.aborted) return;
    began();
    const work = [
      follow(
        { ...reactions, checkpoint: checkpointIn(client, name), checkpointMs, concurrency },
        ending.signal,
      ),
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
