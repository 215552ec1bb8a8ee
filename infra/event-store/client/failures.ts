import { Metadata, status } from '@grpc/grpc-js';
import type { BackOff } from '../../platform/back-off.ts';
import { messageOf } from '../../platform/error-message.ts';
import { within } from '../../platform/timeout.ts';
import { EventStoreUnavailable } from './types.ts';

/** Back-off of calls while the server is unavailable. */
export const reconnecting: BackOff = { firstMs: 25, longestMs: 2_000, jitter: 0.5 };

/** The deadline passed; whether the server acted is unknown. */
export class NoAnswer extends Error {
  constructor(what: string, afterMs: number) {
    super(`${what}: no answer within ${afterMs} ms`);
    this.name = 'NoAnswer';
  }
}

/** No connection: discovery failed, or the client is closing. Nothing was sent. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super('no connection to the event store', { cause });
    this.name = 'NotConnected';
  }
}

/** The server ended the append call without an error: the outcome of pending appends is unknown. */
export class CallEnded extends Error {
  constructor() {
    super('the event store ended the append call');
    this.name = 'CallEnded';
  }
}

/** An event that the store or a read model cannot store. A bug of the caller; nothing was sent. */
export class UnstorableEvent extends Error {
  constructor(type: string, reason: string, options?: ErrorOptions) {
    super(`${type} cannot be stored: ${reason}`, options);
    this.name = 'UnstorableEvent';
  }
}

/** The stream is tombstoned: it can be neither written nor read. */
export class StreamTombstoned extends Error {
  constructor(stream: string) {
    super(`${stream} was deleted and cannot be written to`);
    this.name = 'StreamTombstoned';
  }
}

/**
 * Statuses after which a retry can succeed. Each leaves the outcome of an append unknown, even `UNAVAILABLE`: the connection may
 * have broken after the server wrote.
 */
const passing: ReadonlySet<number> = new Set([
  status.ABORTED,
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.UNKNOWN,
]);

/** Exceptions that the server names in the `exception` trailer, with any status. */
const exceptions: Readonly<Record<string, 'passing' | 'final'>> = {
  'not-leader': 'passing',
  'access-denied': 'final',
  'stream-deleted': 'final',
};

/** True if the request may be retried. */
export function canPass(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof NotConnected || error instanceof CallEnded) return true;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') return false;
  const named = exceptions[exceptionOf(error) ?? ''];
  return named === undefined ? passing.has(error.code) : named === 'passing';
}

export function exceptionOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('metadata' in error) || !(error.metadata instanceof Metadata))
    return undefined;
  return error.metadata.get('exception')[0]?.toString();
}

export const unavailable = (what: string, cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(`${what}: ${messageOf(cause)}`, { cause });

/** Rejects with `NoAnswer` if `work` has not settled in time. */
export const answerWithin = <T>(work: Promise<T>, ms: number, what: string): Promise<T> =>
  within(ms, work, () => new NoAnswer(what, ms));
