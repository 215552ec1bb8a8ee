import { expect } from 'chai';
import { pino } from 'pino';
import {
  freshDatabase,
  startTcpProxy,
  until,
  type TcpProxy,
  type TestDatabase,
} from '../verification/testbed/index.ts';
import { connectPostgres, isPostgresOutage, withoutTimeouts, type Postgres } from './index.ts';
import { queryBuilder } from './queries.ts';

const ANSWER_LIMIT_MS = 200;

describe('an unresponsive Postgres', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let postgres: Postgres;
  /** A statement that exceeds the client's timeout, on its own connection. */
  const outlastTheLimit = () =>
    withoutTimeouts(postgres.pool, (client) =>
      client.query('select pg_sleep($1)', [(2 * ANSWER_LIMIT_MS) / 1000]),
    );
  before(async () => {
    database = await freshDatabase();
    const { hostname, port } = new URL(database.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    postgres = connectPostgres({
      url: proxy.through(database.url),
      logger: pino({ level: 'silent' }),
      maxConnections: 2,
      answerLimitMs: ANSWER_LIMIT_MS,
    });
  });
  afterEach(async () => {
    proxy.cut();
    await proxy.heal();
  });
  after(async () => {
    await postgres.close();
    await proxy.close();
    await database.drop();
  });

  it('soon counts as an outage for waiting callers, and its connections are not reused', async () => {
    const { pool } = postgres;
    await Promise.all([pool.query('select 1'), pool.query('select 1')]);
    proxy.blackhole();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([pool.query('select 1'), pool.query('select 1')]);
    expect(performance.now() - startedAt).to.be.below(10 * ANSWER_LIMIT_MS);
    const outages = outcomes.filter(
      (outcome) => outcome.status === 'rejected' && isPostgresOutage(outcome.reason),
    );
    expect(outages).to.have.length(2);
    expect(pool.totalCount).to.equal(0);
    await proxy.heal();
    await until(async () => (await pool.query('select 1')).rowCount === 1);
  });

  it('is not suspected on a checked-out connection without a statement, such as one with a lock', async () => {
    const client = await postgres.pool.connect();
    await client.query('select pg_advisory_lock(1)');
    await outlastTheLimit();
    const { rows } = await client.query<{ held: boolean }>('select pg_advisory_unlock(1) as held');
    client.release();
    expect(rows).to.deep.equal([{ held: true }]);
  });

  it('is not suspected during a rebuild, however long its statements take', async () => {
    const { rowCount } = await outlastTheLimit();
    expect(rowCount).to.equal(1);
  });

  it('cannot be queried through the query builder, which would keep the dead connection', async () => {
    const query = queryBuilder().withTables<{ table: { id: string } }>().selectFrom('table').select('id');
    expect(query.compile().sql).to.equal('select "id" from "table"');
    expect(await query.execute().catch(String)).to.contain('only compiles');
  });
});
