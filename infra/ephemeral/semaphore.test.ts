import { expect } from 'chai';
import { pino } from 'pino';
import { freshDatabase, until, type TestDatabase } from '../verification/testbed/index.ts';
import { createSemaphore } from './index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../postgres/index.ts';
import type { Permit, Semaphore } from './semaphore.ts';

const logger = pino({ level: 'silent' });

describe('a semaphore over processes', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  const open: Semaphore[] = [];
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, postgresMigrations);
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  const semaphore = (leaseMs = 10_000, renewMs = leaseMs / 3): Semaphore => {
    const created = createSemaphore({ pool: postgres.pool, logger, permits: 3, leaseMs, renewMs });
    open.push(created);
    return created;
  };
  const acquired = (from: readonly Semaphore[], key: string, tries: number): Promise<(Permit | null)[]> =>
    Promise.all(
      Array.from(
        { length: tries },
        async (_, index) => (await from[index % from.length]?.acquire(key)) ?? null,
      ),
    );
  const held = (permits: readonly (Permit | null)[]): Permit[] => permits.filter((each) => each !== null);

  it('gives out as many permits of a key as there are, however many ask at once and in which process', async () => {
    for (let round = 0; round < 10; round += 1) {
      const processes = [semaphore(), semaphore(), semaphore()];
      expect(held(await acquired(processes, `key ${round}`, 30))).to.have.length(3);
    }
  });

  it('counts each key for itself', async () => {
    const process = semaphore();
    await acquired([process], 'one', 3);
    expect(await process.acquire('one')).to.equal(null);
    expect(await process.acquire('another')).not.to.equal(null);
  });

  it('gives a permit that was released, once, to the next that asks', async () => {
    const [one, other] = [semaphore(), semaphore()];
    const [first] = held(await acquired([one], 'key', 3));
    first?.release();
    first?.release();
    await until(() => other.acquire('key'));
    expect(await other.acquire('key')).to.equal(null);
  });

  it('renews what is held, also after Postgres has lost it', async () => {
    const [one, other] = [semaphore(300, 30), semaphore()];
    await acquired([one], 'key', 3);
    await postgres.pool.query('truncate ephemeral.permits');
    const count = async () =>
      (await postgres.pool.query('select from ephemeral.permits where expires_at > now()')).rowCount;
    await until(async () => (await count()) === 3);
    const { rows } = await postgres.pool.query<{ expires_at: Date }>(
      'select max(expires_at) as expires_at from ephemeral.permits',
    );
    await until(async () => {
      const later = await postgres.pool.query(
        "select from ephemeral.permits where expires_at > $1::timestamptz + interval '1 second'",
        [rows[0]?.expires_at],
      );
      return later.rowCount === 3;
    });
    expect(await other.acquire('key')).to.equal(null);
  });

  it('gives back the share of a process that is gone, when its lease ends', async () => {
    const [dead, other] = [semaphore(200, 3_600_000), semaphore()];
    await acquired([dead], 'key', 3);
    await until(() => other.acquire('key'));
  });

  it('gives everything back at once when a process closes', async () => {
    const [closing, other] = [semaphore(), semaphore()];
    await acquired([closing], 'key', 3);
    await closing.close();
    expect(held(await acquired([other], 'key', 4))).to.have.length(3);
  });
});
