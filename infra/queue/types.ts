import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';

export interface WakeUpOptions {
  /** `redis://…` or `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Queues of different names are independent. */
  readonly queueName?: string;
  /** Maximum concurrent wake-ups. */
  readonly concurrency?: number;
  /** Timeout of `schedule`, in milliseconds. */
  readonly scheduleTimeoutMs?: number;
  /** How long `close` waits for running handlers and the connection before it drops them, in milliseconds. */
  readonly closeTimeoutMs?: number;
  /**
   * Lock of a wake-up by an unresponsive process, in milliseconds; soon after, another process gets it. A process whose event
   * loop blocks for half of this may share it with that other.
   */
  readonly lockMs?: number;
}

/** A wake-up of low priority is called only while no other due one of its queue waits. */
export type Priority = 'normal' | 'low';

export interface WakeUp {
  /** Must not contain `:`. */
  readonly id: string;
  readonly dueAt: Date;
  /** By default normal. */
  readonly priority?: Priority;
}

/** A handler's request to be called again at that time. Until then the wake-up stays in the queue under its id. */
export interface Again {
  readonly again: Date;
}

export type WakeUpHandler = (id: string) => Promise<Again | undefined | void>;

/**
 * Calls at a due time: a queue that only triggers. A wake-up says "check this now", never what to do; losing one, or the whole
 * queue, only delays work until the next sweep, and a surplus wake-up finds nothing due.
 */
export interface WakeUps {
  /**
   * Calls the handler at `dueAt`, or at once if that is past. The id must not contain `:`. A second call with the id of a pending
   * or running wake-up changes nothing. Rejects if the queue does not accept it in time.
   */
  schedule(id: string, dueAt: Date, priority?: Priority): Promise<void>;
  /** The same for many, in one request. */
  scheduleAll(wakeUps: readonly WakeUp[]): Promise<void>;
  /** Promotes a delayed wake-up, so that it runs at once. Has no effect on others. */
  hasten(id: string): Promise<void>;
  /** Starts handling in this process. An error of the handler is logged without a retry, which is the sweep's task. */
  onWakeUp(handler: WakeUpHandler): void;
  /** Number of wake-ups, by BullMQ's states. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Waits for running handlers, within a limit. */
  close(): Promise<void>;
}
