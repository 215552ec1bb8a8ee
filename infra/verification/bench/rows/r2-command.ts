import { jsonEvent, type EventStoreDBClient } from '@eventstore/db-client';
import { commandAgainst, concurrency, decided, history, type Opponent } from '../command-against.ts';

const title = (state: string) =>
  `command, ${state} / raw readStream(${history}) + appendToStream, ${concurrency} in flight`;

/** The bare minimum of a command. */
const rawCalls = (client: EventStoreDBClient): Opponent => ({
  name: 'readStream, then appendToStream',
  handle: async (stream) => {
    let expectedRevision = 0n;
    for await (const { event } of client.readStream(stream)) expectedRevision = event?.revision ?? 0n;
    await client.appendToStream(stream, jsonEvent(decided()), { expectedRevision });
  },
});

export const commandWithoutCache = commandAgainst(
  { id: 'R2', title: title('no cache'), pass: 0.85, stretch: 1 },
  0,
  rawCalls,
);

export const commandWithCache = commandAgainst(
  { id: 'R2-cached', title: title('cached state'), pass: 2, stretch: 3 },
  1_000,
  rawCalls,
);
