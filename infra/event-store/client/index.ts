import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { createAppend } from './appending.ts';
import { connect } from './connection.ts';
import { createReads } from './reading.ts';
import { subscribe } from './subscribing.ts';
import type { EventStore } from './types.ts';
import { createUpcast, type Upcast } from './decoding.ts';

export * from './types.ts';
export { lastPosition } from './last-position.ts';
export { isAfter } from './position.ts';

export interface EventStoreOptions {
  /** A connection string of EventStoreDB: `esdb://` or `esdb+discover://`. */
  readonly url: string;
  readonly logger: Logger;
  /** Time from an append's call to `EventStoreUnavailable`, in milliseconds. */
  readonly appendDeadlineMs?: number;
  /** Timeout without an answer, after which a request is retried and a silent connection replaced, in milliseconds. */
  readonly silenceMs?: number;
  /** Timeout of a read without progress, in milliseconds; then `EventStoreUnavailable`. */
  readonly readDeadlineMs?: number;
  /** Interval at which an idle subscription checks for missed events, in milliseconds. */
  readonly stallMs?: number;
  /** Upcasts stored data; default: with the upcasters of `contracts`. */
  readonly upcast?: Upcast;
}

/** Connects on the first call. One store per process, closed by its creator. */
export function connectEventStore({
  url,
  logger,
  appendDeadlineMs = 10_000,
  silenceMs = 3_000,
  readDeadlineMs = 10_000,
  stallMs = 5_000,
  upcast = createUpcast(),
}: EventStoreOptions): EventStore {
  const connection = connect(url, logger);
  const { readStream, readAll, head } = createReads({
    connection,
    upcast,
    times: { silenceMs, deadlineMs: readDeadlineMs },
  });
  const append = createAppend(
    connection,
    readStream,
    { deadlineMs: appendDeadlineMs, attemptMs: silenceMs },
    logger,
  );

  return {
    append,
    readStream,
    readAll,
    head,
    subscribe: (options) => subscribe({ connection, readAll, head, upcast, logger, stallMs }, options),
    setStreamMetadata: async (stream, { maxCount, maxAge }) => {
      const data = { ...(maxCount && { $maxCount: maxCount }), ...(maxAge && { $maxAge: maxAge }) };
      await append(`$$${stream}`, 'any', [{ id: randomUUID(), type: '$metadata', data }]);
    },
    ping: async () => {
      await head();
    },
    close: () => connection.close(),
  };
}
