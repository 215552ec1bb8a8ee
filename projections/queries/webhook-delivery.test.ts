import { expect } from 'chai';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../../infra/postgres/index.ts';
import { freshDatabase, type TestDatabase } from '../../infra/verification/testbed/index.ts';
import { projectionMigrations } from '../index.ts';
import { logger } from '../testing/index.ts';
import type { DuePosition } from './due.ts';
import { openDeliveriesIn } from './webhook-delivery.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-00000000000${n}`;
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 12, minute));
const start: DuePosition = { next_attempt_at: new Date(0), id: '' };
const place = { commit_position: 1, prepare_position: 1 };

describe('open deliveries in Postgres', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  let open: ReturnType<typeof openDeliveriesIn>;

  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, [...postgresMigrations, ...projectionMigrations]);
    open = openDeliveriesIn(postgres.pool);
    await Promise.all([endpoint(1, null, null), endpoint(2, at(3), null), endpoint(3, null, at(1))]);
    await Promise.all([
      delivery(1, 1, 'pending', at(5)),
      delivery(2, 1, 'retrying', at(4)),
      delivery(3, 1, 'delivered', null),
      delivery(4, 2, 'retrying', at(4)),
      delivery(5, 3, 'pending', at(9)),
    ]);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  it('are found once they are due, the longest due first', async () => {
    expect(idsOf(await open.due(at(5), start, 10))).to.deep.equal([2, 4, 1]);
    expect(idsOf(await open.due(at(3), start, 10))).to.deep.equal([]);
  });

  it('are found page by page, none twice', async () => {
    const [first, second] = await open.due(at(9), start, 2);
    expect(idsOf(await open.due(at(9), second ?? start, 2))).to.deep.equal([1, 5]);
    expect(idsOf(await open.due(at(9), first ?? start, 1))).to.deep.equal([4]);
  });

  it('are found by their deleted or disabled endpoint, due or not', async () => {
    const ids = (await open.ofGone(at(0), 10)).map((id) => Number(id.slice(-1)));
    expect(ids.sort()).to.deep.equal([4, 5]);
    expect(await open.ofGone(at(2), 10)).to.deep.equal([`dlv_${uuid(4)}`]);
    expect(await open.ofGone(at(0), 1)).to.have.length(1);
  });

  const idsOf = (rows: readonly { readonly id: string }[]): number[] =>
    rows.map(({ id }) => Number(id.slice(-1)));

  const insert = (table: string, row: object) =>
    postgres.pool.query(
      `insert into read_model.${table} select * from jsonb_populate_record(null::read_model.${table}, $1)`,
      [JSON.stringify({ ...place, ...row })],
    );

  const endpoint = (n: number, disabledAt: Date | null, deletedAt: Date | null) =>
    insert('webhooks', {
      id: `whk_${uuid(n)}`,
      account_id: `acc_${uuid(1)}`,
      url: 'https://receiver.example/hooks',
      events: ['session.completed'],
      consecutive_failures: 0,
      disabled_at: disabledAt,
      deleted_at: deletedAt,
      created_at: at(0),
      updated_at: at(0),
      secret_created_at: at(0),
    });

  const delivery = (n: number, endpointNumber: number, status: string, nextAttemptAt: Date | null) =>
    insert('webhook_deliveries', {
      id: `dlv_${uuid(n)}`,
      account_id: `acc_${uuid(1)}`,
      endpoint_id: `whk_${uuid(endpointNumber)}`,
      event_id: uuid(n),
      event_type: 'session.completed',
      status,
      trigger: 'event',
      attempt_count: 0,
      next_attempt_at: nextAttemptAt,
      created_at: at(0),
      updated_at: at(0),
      attempts: [],
    });
});
