import { expect } from 'chai';
import { pino } from 'pino';
import { freshDatabase, until, type TestDatabase } from '../verification/testbed/index.ts';
import { connectPostgres, migrate, postgresMigrations, withoutTimeouts, type Postgres } from './index.ts';

const logger = pino({ level: 'silent' });

describe('Postgres', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  beforeEach(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, postgresMigrations);
  });
  afterEach(async () => {
    await postgres.close();
    await database.drop();
  });

  it('applies each migration once, even if several processes start together', async () => {
    const added = [{ id: 'test/1', sql: 'create table read_model.once (n integer)' }];
    const applied = await Promise.all(
      [1, 2, 3].map(() => migrate(postgres.pool, [...postgresMigrations, ...added])),
    );
    expect(applied.flat()).to.deep.equal(['test/1']);
  });

  it('applies all missing migrations or none', async () => {
    const broken = [
      { id: 'test/1', sql: 'create table read_model.half (n integer)' },
      { id: 'test/2', sql: 'create nonsense' },
    ];
    const error = await migrate(postgres.pool, broken).catch(String);
    expect(error).to.contain('nonsense');
    const { rows } = await postgres.pool.query("select to_regclass('read_model.half') as found");
    expect(rows).to.deep.equal([{ found: null }]);
  });

  it('notices within 20 seconds that a client’s host, which may hold locks, is gone, also during a rebuild', async () => {
    const settings = `select name, setting from pg_settings where name like 'tcp%' order by name`;
    const ours = [
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '10' },
      { name: 'tcp_keepalives_interval', setting: '3' },
      { name: 'tcp_user_timeout', setting: '20000' },
    ];
    expect((await postgres.pool.query(settings)).rows).to.deep.equal(ours);
    const { rows } = await withoutTimeouts(postgres.pool, (client) => client.query(settings));
    expect(rows).to.deep.equal(ours);
  });

  it('survives the loss of its connections, idle and in use', async () => {
    const client = await postgres.pool.connect();
    await postgres.pool.query('select 1');
    const other = connectPostgres({ url: database.url, logger });
    await other.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await other.close();
    const error = await client.query('select 1').catch(String);
    client.release(true);
    expect(error).to.match(/terminat|connection/i);
    await until(async () => (await postgres.pool.query('select 1')).rowCount === 1);
  });
});
