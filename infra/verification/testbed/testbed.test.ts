import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freshDatabase, startRedis, until, untilNoneLeft } from './index.ts';

describe('the test bed', () => {
  it('gives each suite a database of its own on one Postgres', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
    expect(one.url).not.to.equal(other.url);
    const client = new pg.Client({ connectionString: one.url });
    await client.connect();
    const { rows } = await client.query<{ size: string }>(
      'SELECT count(*) AS size FROM pg_tables WHERE schemaname = $1',
      ['public'],
    );
    await client.end();
    expect(rows).to.deep.equal([{ size: '0' }]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('starts a Redis and starts another where the first one was', async () => {
    const first = await startRedis();
    await first.stop();
    const second = await startRedis(first.port);
    const client = new Redis(second.url);
    expect(await client.ping()).to.equal('PONG');
    client.disconnect();
    await second.stop();
  });

  it('reports a missing Redis where none is installed', async () => {
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    try {
      const failure: unknown = await startRedis().catch((error: unknown) => error);
      expect(String(failure)).to.include('spawn redis-server ENOENT');
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('waits for a condition, and names it when the limit passes', async () => {
    let asked = 0;
    expect(await until(() => ++asked > 2 && 'yes')).to.equal('yes');
    const failure: unknown = await until(() => false, { limitMs: 30 }).catch((error: unknown) => error);
    expect(String(failure)).to.match(/Not within 30 ms: .*false/);
  });

  it('waits while a count decreases, and fails when it has not for the limit', async () => {
    let left = 30;
    await untilNoneLeft(async () => (left -= 1), { limitMs: 60 });
    expect(left).to.equal(0);
    const failure: unknown = await untilNoneLeft(async () => 3, { limitMs: 60 }).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).to.include('Not within 60 ms');
  });
});
