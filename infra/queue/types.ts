import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

export interface WakeUpOptions {
  /** `redis://…` or `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many wake-ups are handled at once. */
  readonly concurrency?: number;
  /** How long `schedule` waits for the queue before it gives up, in milliseconds. */
  readonly scheduleTimeoutMs?: number;
  /** How long `close` lets running handlers and the connection end before it drops them, in milliseconds. */
  readonly closeTimeoutMs?: number;
}

/**
 * Calls at a due time: a queue that only wakes things up. A wake-up says "look at this now", never what to do; losing
 * one, or the whole queue, only delays work until the next sweep, and a wake-up too many finds nothing due.
 */
export interface WakeUps {
  /**
   * Wakes the handler up at `dueAt`, or at once when that is past. The id may not hold `:`. A second call with the id
   * of a pending wake-up changes nothing. Rejects when the queue does not take it in time.
   */
  schedule(id: string, dueAt: Date): Promise<void>;
  /** Starts handling, in this process too. A handler that throws is reported, not called again: the sweep does that. */
  onWakeUp(handler: (id: string) => Promise<void>): void;
  /** Lets running handlers end, within a limit. */
  close(): Promise<void>;
}
