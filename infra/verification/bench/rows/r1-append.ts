import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { appendToNewStreams, benchData, benchMetadata, inFlight } from '../load.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject } from '../subject.ts';

const concurrency = 64;

/** R1: cost of the wrapper's checks, timeouts and retries over the client's own `appendToStream`. */
export const appendThroughStore: RatioSubject = {
  kind: 'ratio',
  id: 'R1',
  title: `append through the store / raw appendToStream, ${concurrency} in flight`,
  pass: 0.9,
  stretch: 0.95,
  operations: 4_000,
  prepare: async ({ directory, logger }) => {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    const client = EventStoreDBClient.connectionString(server.url);
    return {
      ours: {
        name: 'store.append',
        run: (operations) => appendToNewStreams(store, operations, concurrency),
      },
      raw: {
        name: 'appendToStream',
        run: (operations) =>
          inFlight(operations, concurrency, async () => {
            const id = randomUUID();
            const event = jsonEvent({ id, type: 'Benched', data: benchData, metadata: benchMetadata });
            await client.appendToStream(`bench-${id}`, event, { expectedRevision: NO_STREAM });
          }),
      },
      close: async () => {
        await store.close();
        await client.dispose();
        await server.stop();
      },
    };
  },
};
