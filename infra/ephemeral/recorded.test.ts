import { expect } from 'chai';
import { pino } from 'pino';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../postgres/index.ts';
import { freshDatabase, until, type TestDatabase } from '../verification/testbed/index.ts';
import { anyAccount, createAccountPositions, createKeyUses } from './index.ts';

const logger = pino({ level: 'silent' });
const at = (n: bigint) => ({ commit: n, prepare: n });

describe('what is recorded beside a request', () => {
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

  const recorded = async () =>
    (
      await postgres.pool.query<{ account_id: string; commit_position: string }>(
        'select account_id, commit_position from ephemeral.account_positions order by 1',
      )
    ).rows.map((row) => [row.account_id, Number(row.commit_position)]);

  it('records the highest position of each account and of all, in few statements', async () => {
    const positions = createAccountPositions({ pool: postgres.pool, logger });
    const before = Array.from({ length: 100 }, (_, i) => positions.record(`acc_${i % 2}`, at(BigInt(i))));
    await Promise.all(before);
    expect(await recorded()).to.deep.equal([
      [anyAccount, 99],
      ['acc_0', 98],
      ['acc_1', 99],
    ]);
    await positions.record('acc_0', at(5n));
    expect((await recorded())[1]).to.deep.equal(['acc_0', 98]);
  });

  it('does not fail a write whose position cannot be recorded: it counts that, and records it once it can', async () => {
    const positions = createAccountPositions({ pool: postgres.pool, logger });
    await postgres.pool.query('alter table ephemeral.account_positions rename to away');
    await positions.record('acc_1', at(1n));
    expect(positions.failures()).to.be.greaterThan(0);
    await positions.record('acc_2', at(2n));
    await postgres.pool.query('alter table ephemeral.away rename to account_positions');
    await until(async () => (await recorded()).length === 3);
    expect(await recorded()).to.deep.equal([
      [anyAccount, 2],
      ['acc_1', 1],
      ['acc_2', 2],
    ]);
  });

  it('records a use of a key at most once a minute, and never an older one over a later one', async () => {
    let now = Date.parse('2026-01-05T12:00:00.000Z');
    const clock = { now: () => new Date(now) };
    const startUses = () => createKeyUses({ pool: postgres.pool, clock, logger });
    const [uses, elsewhere] = [startUses(), startUses()];
    const usedAt = async () =>
      (await postgres.pool.query<{ used_at: Date }>('select used_at from ephemeral.key_uses')).rows[0]
        ?.used_at;
    const isRecorded = (time: number) => until(async () => (await usedAt())?.getTime() === time);
    const first = now;
    uses.record('key_1');
    await isRecorded(first);

    now += 59_999;
    uses.record('key_1');
    now += 1;
    uses.record('key_1');
    await isRecorded(first + 60_000);

    now = first;
    elsewhere.record('key_1');
    now = first + 120_000;
    uses.record('key_1');
    await isRecorded(first + 120_000);
  });

  it('does not fail a request whose use of a key cannot be recorded', async () => {
    const warned: unknown[] = [];
    const listening = Object.assign(pino({ level: 'silent' }), {
      debug: (what: unknown) => warned.push(what),
    });
    await postgres.pool.query('drop table ephemeral.key_uses');
    const uses = createKeyUses({ pool: postgres.pool, clock: { now: () => new Date() }, logger: listening });
    uses.record('key_1');
    await until(() => warned.length === 1);
  });
});
