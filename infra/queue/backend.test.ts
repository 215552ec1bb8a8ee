import { expect } from 'chai';
import { freshDatabase, startTcpProxy, until, type TestDatabase } from '../verification/testbed/index.ts';
import { queuePool } from './backend.ts';

describe('the connections of a queue on Postgres', () => {
  let database: TestDatabase;
  before(async () => (database = await freshDatabase()));
  after(() => database.drop());

  const backend = 'select pg_backend_pid() as pid';
  const failure = (work: Promise<unknown>) => work.catch((error: unknown) => String(error));

  it('stay open when a statement is refused, and are replaced when they break', async () => {
    const pool = queuePool(database.url);
    const first = await pool.query<{ pid: number }>(backend);
    expect(await failure(pool.query('select 1 / 0'))).to.match(/division by zero/);
    const second = await pool.query<{ pid: number }>(backend);
    expect(second.rows).to.deep.equal(first.rows);
    expect(await failure(pool.query('select pg_terminate_backend(pg_backend_pid())'))).to.match(
      /terminating/,
    );
    const third = await pool.query<{ pid: number }>(backend);
    expect(third.rows).not.to.deep.equal(first.rows);
    await pool.end();
  });

  it('are replaced when the server takes no changes', async () => {
    const pool = queuePool(database.url);
    const first = await pool.query<{ pid: number }>(backend);
    await pool.query('set default_transaction_read_only = on');
    expect(await failure(pool.query('create table standby (id int)'))).to.match(/read-only transaction/);
    const second = await pool.query<{ pid: number }>(backend);
    expect(second.rows).not.to.deep.equal(first.rows);
    await pool.end();
  });

  it('are replaced after an answer has timed out', async () => {
    const { hostname, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const pool = queuePool(proxy.through(database.url), 200);
    const first = await pool.query<{ pid: number }>(backend);
    proxy.blackhole();
    expect(await failure(pool.query(backend))).to.match(/timeout/i);
    await proxy.heal();
    const second = await pool.query<{ pid: number }>(backend);
    expect(second.rows).not.to.deep.equal(first.rows);
    await pool.end();
    await proxy.close();
  });

  it('time out if they are accepted but never answered', async () => {
    const { hostname, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const pool = queuePool(proxy.through(database.url), 500);
    proxy.blackhole();
    // One more than the pool's maximum: it waits for one of the others.
    const asked = Array.from({ length: 6 }, () => failure(pool.query(backend)));
    for (const outcome of await Promise.all(asked)) expect(outcome).to.match(/timeout/i);
    proxy.cut();
    await proxy.heal();
    await until(async () => (await pool.query(backend)).rows.length === 1);
    await pool.end();
    await proxy.close();
  });
});
