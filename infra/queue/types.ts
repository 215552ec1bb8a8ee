import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';

export interface WakeUpOptions {
  /** `redis://…` or `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Queues of different names know nothing of each other's wake-ups. */
  readonly queueName?: string;
  /** How many wake-ups are handled at once. */
  readonly concurrency?: number;
  /** How long `schedule` waits for the queue before it gives up, in milliseconds. */
  readonly scheduleTimeoutMs?: number;
  /** How long `close` lets running handlers and the connection end before it drops them, in milliseconds. */
  readonly closeTimeoutMs?: number;
  /**
   * How long a wake-up stays with a process that does not answer any more, milliseconds; soon after, another one gets it.
   * A process whose event loop stands still for half of this shares it with that other.
   */
  readonly lockMs?: number;
}

export interface WakeUp {
  /** It may not hold `:`. */
  readonly id: string;
  readonly dueAt: Date;
}

/** A handler's answer to be called again at that time. Until then the wake-up stays in the queue under its id. */
export interface Again {
  readonly again: Date;
}

export type WakeUpHandler = (id: string) => Promise<Again | undefined | void>;

/**
 * Calls at a due time: a queue that only wakes things up. A wake-up says "look at this now", never what to do; losing
 * one, or the whole queue, only delays work until the next sweep, and a wake-up too many finds nothing due.
 */
export interface WakeUps {
  /**
   * Wakes the handler up at `dueAt`, or at once when that is past. The id may not hold `:`. A second call with the id
   * of a wake-up that is pending, or being handled, changes nothing. Rejects when the queue does not take it in time.
   */
  schedule(id: string, dueAt: Date): Promise<void>;
  /** The same for many, in one go. */
  scheduleAll(wakeUps: readonly WakeUp[]): Promise<void>;
  /** Promotes a delayed wake-up, so that it runs at once. Has no effect on one that is not delayed. */
  hasten(id: string): Promise<void>;
  /** Starts handling, in this process too. A handler that throws is reported, not called again: the sweep does that. */
  onWakeUp(handler: WakeUpHandler): void;
  /** How many there are, by BullMQ's states. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Lets running handlers end, within a limit. */
  close(): Promise<void>;
}
