import { expect } from 'chai';
import pino from 'pino';
import { freshDatabase, until } from '../verification/testbed/index.ts';
import { createHeartbeats } from './index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../postgres/index.ts';

const logger = pino({ level: 'silent' });

describe('heartbeats', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const signs = () => createHeartbeats({ pool: postgres.pool, clock, logger, everyMs: 3000 });
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, postgresMigrations);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });
  beforeEach(async () => {
    offset = 0;
    await postgres.pool.query('truncate ephemeral.signs_of_life');
  });

  const rows = async () =>
    (await postgres.pool.query<{ key: string }>('select key from ephemeral.signs_of_life order by key')).rows;
  const lastOf = (key: string) => until(async () => (await signs().last(key)) ?? false);

  it('are there for every process', async () => {
    const before = Date.now();
    signs().record('turn 1');
    expect(Date.parse(await lastOf('turn 1'))).to.be.within(before, Date.now());
    expect(await signs().last('turn 2')).to.equal(null);
  });
  it('within a few seconds are one, and later ones count', async () => {
    const recording = signs();
    recording.record('turn 1');
    const first = await lastOf('turn 1');
    offset = 2000;
    recording.record('turn 1');
    recording.record('turn 2');
    await lastOf('turn 2');
    expect(await recording.last('turn 1')).to.equal(first);
    offset = 4000;
    recording.record('turn 1');
    await until(async () => (await recording.last('turn 1')) !== first);
  });
  it('never go back, even if one process is slower', async () => {
    offset = 60_000;
    signs().record('turn 1');
    const newest = await lastOf('turn 1');
    offset = 0;
    const slower = signs();
    slower.record('turn 1');
    slower.record('turn 2');
    await lastOf('turn 2');
    expect(await slower.last('turn 1')).to.equal(newest);
  });
  it('are forgotten after two hours', async () => {
    offset = -7_300_000;
    const recording = signs();
    recording.record('old');
    await lastOf('old');
    offset = 0;
    recording.record('new');
    await lastOf('new');
    expect((await rows()).map(({ key }) => key)).to.deep.equal(['new']);
  });
  it('are recorded once Postgres is back', async () => {
    let isAway = true;
    const query = (...args: unknown[]) => {
      if (isAway) return Promise.reject(new Error('Postgres is away.'));
      return Reflect.apply(postgres.pool.query, postgres.pool, args) as Promise<unknown>;
    };
    const pool = Object.assign(Object.create(postgres.pool) as typeof postgres.pool, { query });
    const recording = createHeartbeats({ pool, clock, logger, everyMs: 3000 });
    recording.record('turn 1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await rows()).to.deep.equal([]);
    isAway = false;
    await lastOf('turn 1');
  });
});
