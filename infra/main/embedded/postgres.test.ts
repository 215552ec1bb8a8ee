import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { tempDir } from '../../verification/testbed/index.ts';
import { startPostgres } from './postgres.ts';

describe('the embedded Postgres', () => {
  const home = tempDir('private');
  const options = {
    dataDir: join(home, 'data', 'postgres'),
    logFile: join(home, 'log'),
    password: 'test',
    durable: false,
  };
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<{ kept: string }>(text)).rows;
    } finally {
      await client.end();
    }
  };

  before(() => {
    chmodSync(home, 0o700);
    mkdirSync(join(home, 'data'));
  });

  it('runs below a directory that only the starting user may enter, and keeps its data', async () => {
    const first = await startPostgres(options);
    await query(first.url, "create table note as select 'yes' as kept");
    await first.stop();
    const second = await startPostgres(options);
    expect(await query(second.url, 'select kept from note')).to.deep.equal([{ kept: 'yes' }]);
    await second.stop();
  });

  it('refuses connections without the password', async () => {
    const server = await startPostgres(options);
    for (const credentials of ['service:wrong@', 'service@', 'postgres:test@']) {
      const url = server.url.replace(/\/\/[^@]+@/, `//${credentials}`);
      const error = await query(url, 'select 1').catch((failure: unknown) => String(failure));
      expect(error, credentials).to.match(/password/);
    }
    await server.stop();
  });

  it('starts despite a server that a dead supervisor left running, and despite a stale pid file', async () => {
    const left = await startPostgres(options);
    const next = await startPostgres(options);
    await left.ended;
    expect(await query(next.url, 'select kept from note')).to.deep.equal([{ kept: 'yes' }]);
    await next.stop();
    writeFileSync(join(options.dataDir, 'postmaster.pid'), `${process.pid}\n${options.dataDir}\n`);
    const last = await startPostgres(options);
    await last.stop();
  });
});
