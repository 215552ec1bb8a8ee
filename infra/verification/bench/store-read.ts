import { open } from 'lmdb';
import { connectEventStore } from '../../event-store/client/index.ts';
import { seedLog } from './seed-log.ts';
import { startStoreProcess } from './store-process.ts';
import type { RatioSubject } from './subject.ts';

const events = 50_000;

/**
 * Cost of reading the log over reading its bytes from LMDB: the same directory, read through the client as events, and
 * raw as buffers. Of an event's 8 microseconds in the client, gRPC takes 4 and JSON 2, against one for the raw read: an
 * eighth is what a Node reader can reach; more needs another protocol.
 */
export const storeRead: RatioSubject = {
  kind: 'ratio',
  id: 'store-read',
  long: true,
  title: `events read from the embedded store / values read from raw lmdb, ${events} of each`,
  pass: 0.06,
  stretch: 0.1,
  operations: events,
  prepare: async ({ directory, logger, seed }) => {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    await seedLog(store, { seed, events, perStream: 20, perAppend: 20 });
    const environment = open({ path: directory, maxDbs: 8, noSubdir: false, readOnly: true });
    const raw = environment.openDB<Buffer, number>('events', { encoding: 'binary' });
    return {
      ours: {
        name: 'store.readAll',
        run: async () => {
          let read = 0;
          for await (const { data } of store.readAll()) if (data !== undefined) read += 1;
          if (read !== events) throw new Error(`Read ${read} events of ${events}.`);
        },
      },
      raw: {
        name: 'lmdb getRange',
        run: async () => {
          let read = 0;
          for (const { value } of raw.getRange({ start: 0 })) if (value.length > 0) read += 1;
          if (read !== events) throw new Error(`Read ${read} values of ${events}.`);
        },
      },
      close: async () => {
        await environment.close();
        await store.close();
        await server.stop();
      },
    };
  },
};
