import { expect } from 'chai';
import {
  connectPostgres,
  migrate,
  postgresMigrations,
  type Postgres,
} from '../../../infra/postgres/index.ts';
import type { WakeUp } from '../../../infra/queue/types.ts';
import { freshDatabase, type TestDatabase } from '../../../infra/verification/testbed/index.ts';
import { projectionMigrations } from '../../../projections/index.ts';
import { dueMailsIn } from '../../../projections/queries/mail.ts';
import { linkTemplates } from '../../mail/index.ts';
import { quiet, TestClock } from '../../session/testing.ts';
import { uninterrupted } from '../engine/testing.ts';
import { mailSweep } from './managers.ts';

describe('the sweep of mails', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  let clock: TestClock;
  let woken: WakeUp[];
  let hastened: string[];
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: quiet });
    await migrate(postgres.pool, [...postgresMigrations, ...projectionMigrations]);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });
  beforeEach(async () => {
    clock = new TestClock();
    woken = [];
    hastened = [];
    await postgres.pool.query('truncate read_model.mails');
  });

  const sweep = () =>
    uninterrupted(
      mailSweep({
        due: dueMailsIn(postgres.pool, linkTemplates),
        clock,
        wakeUps: {
          scheduleAll: async (wakeUps) => void woken.push(...wakeUps),
          hasten: async (id) => void hastened.push(id),
        },
        everyMs: 30_000,
      }),
    );

  /** Mails that are all due in `dueInMs`. */
  const mails = (
    from: number,
    count: number,
    { dueInMs = 0, status = 'queued', attempts = 0, template = 'incident-posted' } = {},
  ) =>
    postgres.pool.query(
      `insert into read_model.mails (id, template, facts, status, attempt_count, next_attempt_at, created_at, updated_at,
         commit_position, prepare_position)
       select 'mail_' || lpad(n::text, 4, '0'), $6, '{}', $3, $4, $5, now(), now(), 1, 1
       from generate_series($1::int, $1::int + $2::int - 1) n`,
      [from, count, status, attempts, new Date(clock.now().getTime() + dueInMs), template],
    );
  const attempt = (index: number, number = 1): string => `mail_${String(index).padStart(4, '0')}-${number}`;
  const ids = () => woken.map(({ id }) => id);

  it('wakes the next attempt of each due mail, and none that has ended or is due later', async () => {
    await mails(1, 1, { dueInMs: -60_000, attempts: 2 });
    await mails(2, 1);
    await mails(3, 1, { dueInMs: 1 });
    await mails(4, 1, { status: 'abandoned', dueInMs: -60_000 });
    await sweep().run();
    expect(ids()).to.deep.equal([attempt(1, 3), attempt(2)]);
    expect(woken[1]?.dueAt).to.deep.equal(clock.now());
    expect(hastened).to.deep.equal([attempt(1, 3)]);
  });

  it('comes to a mail behind any number that cannot be sent and stay due, and then starts over', async () => {
    await mails(1, 450, { dueInMs: -60_000 });
    await mails(451, 1);
    const swept = sweep();
    for (let round = 0; round < 3; round += 1) await swept.run();
    expect(ids()).to.deep.equal(Array.from({ length: 451 }, (_, index) => attempt(index + 1)));
    expect(hastened).to.deep.equal([attempt(1), attempt(201), attempt(401)]);
    await swept.run();
    expect(ids().slice(451)).to.deep.equal(ids().slice(0, 200));
  });

  it('wakes mails with a link first, however many others are due for longer, and these with low priority', async () => {
    await mails(1, 250, { dueInMs: -60_000 });
    await mails(251, 1, { template: 'magic-link' });
    await mails(252, 1, { template: 'status-confirm' });
    await sweep().run();
    expect(ids().slice(0, 3)).to.deep.equal([attempt(251), attempt(252), attempt(1)]);
    const low = woken.filter(({ priority }) => priority === 'low').map(({ id }) => id);
    expect(low).to.deep.equal(ids().slice(2));
    expect(low).to.have.length(200);
  });
});
