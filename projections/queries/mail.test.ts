import { expect } from 'chai';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../../infra/postgres/index.ts';
import { freshDatabase, type TestDatabase } from '../../infra/verification/testbed/index.ts';
import { projectionMigrations } from '../index.ts';
import { logger } from '../testing/index.ts';
import { countMailsOverdue, countMailsWaiting, dueMailsIn } from './mail.ts';

describe('mails in Postgres', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, [...postgresMigrations, ...projectionMigrations]);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });
  beforeEach(() => postgres.pool.query('truncate read_model.mails'));

  /** A mail whose next attempt is due in so many minutes; null if it has ended. */
  const mail = (id: string, dueInMinutes: number | null, template = 'incident-posted') =>
    postgres.pool.query(
      `insert into read_model.mails (id, template, facts, status, attempt_count, next_attempt_at, created_at, updated_at,
         commit_position, prepare_position)
       select $1, $2, '{}', case when $3::int is null then 'sent' else 'queued' end, 1,
         now() + make_interval(mins => $3), now() - interval '1 day', now(), 1, 1`,
      [id, template, dueInMinutes],
    );

  it('are overdue if they have been due for an hour, not while they wait for their next attempt', async () => {
    await mail('in_back_off', 120);
    await mail('due', -59);
    await mail('sent', null);
    expect(await countMailsOverdue(postgres.pool)).to.equal(0);
    await mail('overdue', -61);
    expect(await countMailsOverdue(postgres.pool)).to.equal(1);
    expect(await countMailsWaiting(postgres.pool)).to.equal(3);
  });

  it('are found once they are due, those with a link apart from the others', async () => {
    await mail('late', -2);
    await mail('link', -1, 'magic-link');
    await mail('later', 1, 'magic-link');
    const { withLink, others } = dueMailsIn(postgres.pool, ['magic-link', 'password-reset']);
    const start = { next_attempt_at: new Date(0), id: '' };
    const ids = async (due: typeof others) => (await due(new Date(), start, 10)).map(({ id }) => id);
    expect(await ids(withLink)).to.deep.equal(['link']);
    expect(await ids(others)).to.deep.equal(['late']);
  });
});
