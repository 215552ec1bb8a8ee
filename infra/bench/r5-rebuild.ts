import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EventStoreDBClient, START } from '@eventstore/db-client';
import type { Logger } from 'pino';
import { projectionMigrations, rebuildProjection } from '../../projections/index.ts';
import { connectEventStore, type EventStore } from '../event-store/index.ts';
import { startPostgres } from '../main/embedded/postgres.ts';
import { connectPostgres, migrate, postgresMigrations } from '../postgres/index.ts';
import { benchMetadata, inFlight } from './load.ts';
import { startStoreProcess } from './store-process.ts';
import type { RatioSubject } from './subject.ts';

const events = 20_000;
const batchEvents = 500;
const at = '2026-01-05T12:00:00.000Z';

/** R5: the whole of a rebuild (read, fold, write, index, compare, swap), every event a row of its own. */
export const rebuild: RatioSubject = {
  kind: 'ratio',
  id: 'R5',
  title: `rebuild / raw readAll, batch ${batchEvents}, ${events} events in as many rows`,
  pass: 0.45,
  stretch: 0.6,
  operations: events,
  prepare: async ({ directory, logger }) => {
    const server = await startStoreProcess(join(directory, 'events'));
    const store = connectEventStore({ url: server.url, logger });
    const client = EventStoreDBClient.connectionString(server.url);
    const database = await startReadModels(directory, logger);
    await seedSessions(store);
    await database.standAt(store);
    return {
      ours: {
        name: 'rebuildProjection',
        run: async () => {
          const { rebuilt } = await rebuildProjection('sessions', {
            store,
            pool: database.pool,
            batchEvents,
          });
          if (rebuilt.rows !== events) throw new Error(`Rebuilt ${rebuilt.rows} rows of ${events}.`);
        },
      },
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
      close: async () => {
        await store.close();
        await client.dispose();
        await server.stop();
        await database.close();
      },
    };
  },
};

/** A durable Postgres of its own, with empty read models. */
async function startReadModels(directory: string, logger: Logger) {
  const server = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: 'bench',
  });
  const { pool, close } = connectPostgres({ url: server.url, logger });
  await migrate(pool, [...postgresMigrations, ...projectionMigrations]);
  return {
    pool,
    /** Declares the live read models to be at the end of the log: how far a rebuild goes. */
    standAt: async (store: EventStore) => {
      const head = await store.head();
      await pool.query(
        "insert into runtime.checkpoints (name, commit_position, prepare_position) values ('read_model', $1, $2)",
        [String(head?.commit), String(head?.prepare)],
      );
    },
    close: async () => {
      await close();
      await server.stop();
    },
  };
}

const seedSessions = (store: EventStore): Promise<void> =>
  inFlight(events, 64, async () => {
    const uuid = randomUUID();
    const data = {
      sessionId: `ses_${uuid}`,
      accountId: benchMetadata.actor.account_id,
      archetype: 'iphone-16-ios-18',
      label: 'bench',
      metadata: {},
      tier: 'team',
      nodeId: null,
      dispatchId: uuid,
      leaseExpiresAt: at,
      expiresAt: null,
      at,
    };
    await store.append(`session-${uuid}`, 'no_stream', [
      { id: uuid, type: 'SessionRequested', data, metadata: benchMetadata },
    ]);
  });
