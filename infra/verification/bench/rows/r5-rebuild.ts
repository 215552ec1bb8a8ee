import { join } from 'node:path';
import { EventStoreDBClient, START } from '@eventstore/db-client';
import { rebuildProjection } from '../../../../projections/index.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { startReadModels, setCheckpoint } from '../read-models.ts';
import { seedLog } from '../seed-log.ts';
import { startStoreProcess } from '../store-process.ts';
import type { Bench, RatioSubject } from '../subject.ts';

const events = 20_000;
const batchEvents = 500;

/**
 * A log of sessions that were only requested, so that every event makes a row, and read models whose checkpoint is at
 * its end.
 */
export async function startRebuildable({ seed, directory, logger }: Bench, sessions: number) {
  const server = await startStoreProcess(join(directory, 'events'));
  const store = connectEventStore({ url: server.url, logger });
  const models = await startReadModels(directory, logger);
  await seedLog(store, { seed, events: sessions, perStream: 1, perAppend: 1 });
  const head = await store.head();
  if (head === undefined) throw new Error('Nothing was seeded.');
  await setCheckpoint(models.pool, head);
  return {
    store,
    url: server.url,
    postgresUrl: models.url,
    pool: models.pool,
    /** The whole of a rebuild: read, fold, write, index, compare, swap. */
    rebuild: async () => {
      const { rebuilt } = await rebuildProjection('sessions', { store, pool: models.pool, batchEvents });
      if (rebuilt.rows !== sessions) throw new Error(`Rebuilt ${rebuilt.rows} rows of ${sessions}.`);
    },
    close: async () => {
      await store.close();
      await server.stop();
      await models.close();
    },
  };
}

export const rebuild: RatioSubject = {
  kind: 'ratio',
  id: 'R5',
  title: `rebuild / raw readAll, batch ${batchEvents}, ${events} events in as many rows`,
  pass: 0.45,
  stretch: 0.6,
  operations: events,
  prepare: async (bench) => {
    const { url, rebuild, close } = await startRebuildable(bench, events);
    const client = EventStoreDBClient.connectionString(url);
    return {
      ours: { name: 'rebuildProjection', run: rebuild },
      raw: {
        name: 'readAll',
        run: async () => {
          let read = 0;
          for await (const { event } of client.readAll({ fromPosition: START })) {
            if (event?.type === 'SessionRequested') read += 1;
          }
          if (read !== events) throw new Error(`Read ${read} events of ${events}.`);
        },
      },
      close: () => client.dispose().then(close),
    };
  },
};
