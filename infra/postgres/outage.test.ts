import { expect } from 'chai';
import pg from 'pg';
import {
  freshDatabase,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from '../verification/testbed/index.ts';
import { isPostgresOutage } from './outage.ts';

describe('an outage of Postgres', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let pool: pg.Pool;
  /** Whether the statement fails as in an outage. */
  const meetsOutage = (statement: string): Promise<boolean> =>
    pool.query(statement).then(
      () => false,
      (error: unknown) => isPostgresOutage(error),
    );

  before(async () => {
    database = await freshDatabase();
    const { hostname, port } = new URL(database.url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    pool = new pg.Pool({
      connectionString: proxy.through(database.url),
      connectionTimeoutMillis: 300,
      max: 1,
    });
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  });
  afterEach(async () => {
    proxy.cut();
    await proxy.heal();
  });
  after(async () => {
    await proxy.close();
    await pool.end();
    await database.drop();
  });

  it('is neither a fault of the statement nor any other error', async () => {
    await pool.query('select 1');
    expect(await meetsOutage('select 1 / 0')).to.equal(false);
    expect(isPostgresOutage(new Error('anything else'))).to.equal(false);
  });

  it('is a connection that breaks during a statement, or is ended by the server', async () => {
    await pool.query('select 1');
    const cut = meetsOutage('select pg_sleep(10)');
    proxy.cut();
    expect(await cut).to.equal(true);
    expect(await meetsOutage('select pg_terminate_backend(pg_backend_pid())')).to.equal(true);
  });

  it('is a connection that is refused, or never established', async () => {
    proxy.refuse();
    proxy.cut();
    expect(await meetsOutage('select 1')).to.equal(true);
    await proxy.heal();
    proxy.blackhole();
    expect(await meetsOutage('select 1')).to.equal(true);
  });

  it('is a host whose name does not resolve', async () => {
    const nowhere = new pg.Pool({ host: 'nowhere.invalid', max: 1 });
    const error: unknown = await nowhere.query('select 1').catch((failure: unknown) => failure);
    expect(error).to.have.property('code').that.is.oneOf(['ENOTFOUND', 'EAI_AGAIN']);
    expect(isPostgresOutage(error)).to.equal(true);
    await nowhere.end();
  });

  it('is a server without room on its disk or in its memory, one that cannot read its files, or a standby', async () => {
    const raising = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`;
    for (const code of ['53100', '53200', '58030'])
      expect(await meetsOutage(raising(code)), code).to.equal(true);
    expect(await meetsOutage('begin read only; create table refused ()')).to.equal(true);
    expect(await meetsOutage(raising('22003'))).to.equal(false);
  });
});
