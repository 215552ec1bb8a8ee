import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { systemPause } from '../../../infra/platform/clock.ts';
import { advisoryLocks } from '../../../infra/postgres/advisory-lock.ts';
import {
  connectPostgres,
  migrate,
  postgresMigrations,
  type Postgres,
} from '../../../infra/postgres/index.ts';
import { freshDatabase, until, type TestDatabase } from '../../../infra/verification/testbed/index.ts';
import { inBatches } from '../../engine/in-batches.ts';
import { quiet, useStore } from '../../session/testing.ts';
import { startHost, type Sweep } from './host.ts';
import { defaultHostSettings } from './settings.ts';
import { processMigrations } from './tables.ts';
import { metadata, never } from './testing.ts';

describe('a process host', () => {
  const opened = useStore();
  let database: TestDatabase;
  let postgres: Postgres;
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: quiet });
    await migrate(postgres.pool, [...postgresMigrations, ...processMigrations]);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  /** Ends the connection that holds the lock. */
  const endConnection = () =>
    postgres.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objid = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [advisoryLocks.processes],
    );

  it('that loses its connection during a long sweep soon reacts to new events in its next term', async () => {
    const type = `Happened${uuidv7().replaceAll('-', '')}`;
    const seen: string[] = [];
    let items = 0;
    const items15Minutes = Array.from({ length: 90_000 }, (_, index) => index);
    const sweep: Sweep = {
      name: 'long',
      everyMs: 3_600_000,
      run: async (term) => {
        await inBatches(items15Minutes, 1, () => systemPause(10, never).then(() => (items += 1)), term);
      },
    };
    const host = startHost(
      {
        ...{
          ...defaultHostSettings,
          name: 'processes',
          store: opened.store,
          pool: postgres.pool,
          logger: quiet,
        },
        ...{ standbyMs: 20, checkpointMs: 10 },
        managers: [{ name: 'sees', types: [type], handle: async ({ id }) => void seen.push(id) }],
      },
      [sweep],
    );
    await until(() => items > 0);
    await endConnection();
    const id = uuidv7();
    await opened.store.append(`happenings-${uuidv7()}`, 'no_stream', [{ id, type, data: {}, metadata }]);
    await until(async () => seen.includes(id) && host.working(), { limitMs: 10_000 });
    expect(items).to.be.below(items15Minutes.length);
    await host.close();
  });
});
