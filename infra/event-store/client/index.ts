import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { createAppend } from './appending.ts';
import { connect } from './connection.ts';
import { createReads } from './reading.ts';
import { subscribe } from './subscribing.ts';
import type { EventStore } from './types.ts';
import { createUpcast, type Upcast } from './decoding.ts';

export * from './types.ts';
export { UnstorableEvent, StreamTombstoned } from './failures.ts';
export { isAfter } from './position.ts';

export interface EventStoreOptions {
  /** A connection string of EventStoreDB: `esdb://` or `esdb+discover://`. */
  readonly url: string;
  readonly logger: Logger;
  /** From an append's call to `EventStoreUnavailable`, milliseconds. */
  readonly appendDeadlineMs?: number;
  /** Without an answer for this long a request is sent again, and a silent connection is replaced, milliseconds. */
  readonly silenceMs?: number;
  /** Without progress for this long a read ends in `EventStoreUnavailable`, milliseconds. */
  readonly readDeadlineMs?: number;
  /** Interval at which an idle subscription checks for missed events, in milliseconds. */
  readonly stallMs?: number;
  /** How stored data is brought to the current version; by default with the upcasters of `contracts`. */
  readonly upcast?: Upcast;
}

/** Connects at the first call. One store per process, closed by its creator. */
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
