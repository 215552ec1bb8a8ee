import { join } from 'node:path';
import { open } from 'lmdb';
import { connectEventStore } from '../../event-store/client/index.ts';
import { appendToNewStreams, benchData, benchMetadata, inFlight } from './load.ts';
import { startStoreProcess } from './store-process.ts';
import type { RatioSubject } from './subject.ts';

const concurrency = 64;

/** Bytes of an event that reach the disk. */
const bytes = Buffer.from(JSON.stringify([benchData, benchMetadata]));

/**
 * Efficiency of the embedded store on its disk: appends through the client, into another process and back, against
 * LMDB's own durable puts of as many bytes, by a function call. Both share a flush among concurrent writes. An append
 * costs a Node client about 70 microseconds of gRPC and the server about as much, a put 8: a twelfth is the most that
 * two processes can reach, and half of that is left to checks, the index and the head of the stream.
 */
export const storeAppend: RatioSubject = {
  kind: 'ratio',
  id: 'store-append',
  long: true,
  title: `append to the embedded store / durable put into raw lmdb, ${concurrency} in flight`,
  pass: 0.05,
  stretch: 0.08,
  operations: 4_000,
  prepare: async ({ directory, logger }) => {
    const server = await startStoreProcess(join(directory, 'store'));
    const store = connectEventStore({ url: server.url, logger });
    const raw = open<Buffer, number>({
      path: join(directory, 'raw'),
      encoding: 'binary',
      overlappingSync: false,
    });
    let key = 0;
    return {
      ours: {
        name: 'store.append',
        run: (operations) => appendToNewStreams(store, operations, concurrency),
      },
      raw: {
        name: 'lmdb put',
        run: (operations) =>
          inFlight(operations, concurrency, async () => {
            key += 1;
            await raw.put(key, bytes);
          }),
      },
      close: async () => {
        await store.close();
        await server.stop();
        await raw.close();
      },
    };
  },
};
