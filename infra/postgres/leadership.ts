import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import type { Logger } from 'pino';
import { waitBackOff } from '../platform/back-off.ts';
import { takeAdvisoryLock, type advisoryLocks } from './advisory-lock.ts';

interface Candidate {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Of all processes with this lock on one database one leads; the others are on standby. */
  readonly lock: keyof typeof advisoryLocks;
  /** Interval at which a standby tries to become the leader, in milliseconds. */
  readonly standbyMs: number;
  /** Maximum pause between failing terms, in milliseconds. */
  readonly maxBackoffMs: number;
}

/** The resources of a term. */
export interface Term {
  /** The connection that holds the lock, so that only the leader can write on it. */
  readonly client: pg.PoolClient;
  /** Aborted when the connection breaks, when the leader is closed, and by `end`. */
  readonly signal: AbortSignal;
  readonly end: () => void;
  /** Resets the back-off. */
  readonly progressed: () => void;
}

export interface Leader {
  /** True while it is the leader; otherwise it is a standby, or the work of an ended term has not ended yet. */
  working(): boolean;
  /** Ends the term, and resolves when its work has ended. */
  close(): Promise<void>;
}

/**
 * Works in terms. A term takes a connection and, on it, the lock. A broken connection releases the lock and aborts unfinished
 * work on it; the next term starts here or in a standby process.
 */
export function leadInTerms(candidate: Candidate, work: (term: Term) => Promise<void>): Leader {
  const { logger, lock, maxBackoffMs } = candidate;
  const stop = new AbortController();
  let failures = 0;
  let leading: AbortSignal | undefined;
  const lead = (term: Omit<Term, 'progressed'>): Promise<void> => {
    leading = term.signal;
    return work({ ...term, progressed: () => (failures = 0) });
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await oneTerm(candidate, stop.signal, lead);
      } catch (error) {
        logger.warn({ err: error, lock }, 'A leader failed or lost its lock; it is a standby again.');
      }
      leading = undefined;
      const pause = { firstMs: 50, longestMs: maxBackoffMs };
      await waitBackOff(pause, failures++, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    working: () => leading?.aborted === false,
    close: () => {
      stop.abort();
      return running;
    },
  };
}

async function oneTerm(
  { pool, lock, standbyMs }: Candidate,
  stopped: AbortSignal,
  work: (term: Omit<Term, 'progressed'>) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  const ending = new AbortController();
  // Every part of a term listens for its end.
  setMaxListeners(0, ending.signal);
  const end = (): void => ending.abort();
  stopped.addEventListener('abort', end);
  client.once('end', end);
  try {
    await takeAdvisoryLock(client, lock, standbyMs, stopped);
    if (!stopped.aborted) await work({ client, signal: ending.signal, end });
  } finally {
    stopped.removeEventListener('abort', end);
    // Closing the connection releases the lock.
    client.release(true);
  }
}
