import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { pauseMs } from '../../infra/platform/back-off.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { term } from './leadership.ts';
import type { Parked } from './parking.ts';
import type { Projection } from './projection.ts';

export interface BatchApplied {
  readonly events: number;
  /** What the log had for it, in that order; parked events too. */
  readonly happened: readonly RecordedEvent[];
  /** The checkpoint after it. */
  readonly position: Position;
  /** From the append of its last event to its commit here, milliseconds. */
  readonly lagMs: number;
  readonly durationMs: number;
}

/** What the projector reports, for metrics. */
export interface ProjectorObserver {
  applied?(batch: BatchApplied): void;
  parked?(event: Parked): void;
  /** A term ended in an error; the next one begins after `retryInMs`. */
  failed?(error: unknown, retryInMs: number): void;
  /** Whether this projector is the one that works. */
  working?(working: boolean): void;
}

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly projections?: readonly Projection[];
  readonly batchEvents?: number;
  /** How long an event may wait for others to share its batch, milliseconds. */
  readonly batchWindowMs?: number;
  /** How often a projector that stands by asks whether it is needed, milliseconds. */
  readonly standbyMs?: number;
  /** The longest pause between two terms that fail, milliseconds. */
  readonly maxBackoffMs?: number;
  readonly observer?: ProjectorObserver;
}

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
