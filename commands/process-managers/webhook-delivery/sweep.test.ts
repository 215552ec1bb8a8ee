import { expect } from 'chai';
import type { WebhookDeliveryId } from '../../../contracts/ids.ts';
import {
  connectPostgres,
  migrate,
  postgresMigrations,
  type Postgres,
} from '../../../infra/postgres/index.ts';
import type { WakeUp } from '../../../infra/queue/types.ts';
import { freshDatabase, type TestDatabase } from '../../../infra/verification/testbed/index.ts';
import { projectionMigrations } from '../../../projections/index.ts';
import { TestClock, quiet } from '../../session/testing.ts';
import { uninterrupted } from '../engine/testing.ts';
import { deliveriesSweep } from './sweep.ts';
import { openDeliveriesIn } from '../../../projections/queries/webhook-delivery.ts';

const uuid = (kind: string, index: number): string =>
  `${kind}_00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

describe('the sweep of deliveries', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  let clock: TestClock;
  let woken: string[];
  let queueTakes: number;
  let dueAt: Map<string, Date>;
  let cancelled: WebhookDeliveryId[];
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
    queueTakes = Infinity;
    dueAt = new Map();
    cancelled = [];
    hastened = [];
    await postgres.pool.query('truncate read_model.webhook_deliveries, read_model.webhooks');
  });

  const scheduleAll = async (wakeUps: readonly WakeUp[]): Promise<void> => {
    if (woken.length >= queueTakes) throw new Error('The queue is away.');
    for (const wakeUp of wakeUps) {
      woken.push(wakeUp.id);
      dueAt.set(wakeUp.id, wakeUp.dueAt);
    }
  };

  const sweep = (everyMs = 3000) =>
    uninterrupted(
      deliveriesSweep(
        {
          open: openDeliveriesIn(postgres.pool),
          clock,
          wakeUps: { scheduleAll, hasten: async (id) => void hastened.push(id) },
          cancel: async (id) => void cancelled.push(id),
          logger: quiet,
        },
        everyMs,
      ),
    );

  /** Deliveries of one endpoint, the first due in `dueInMs` and each of the others a millisecond later. */
  async function deliveries(
    from: number,
    count: number,
    { status = 'pending', dueInMs = -60_000, endpoint = 1, attempts = 0 } = {},
  ): Promise<void> {
    await postgres.pool.query(
      `insert into read_model.webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, status, trigger,
         attempt_count, next_attempt_at, created_at, updated_at, attempts,
         commit_position, prepare_position)
       select 'dlv_00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), 'acc_1', $3, 'event', 'session.completed', $4,
         'event', $5, case when $4 in ('pending', 'retrying') then $6::timestamptz + (n - $1::int) * interval '1 ms' end,
         now(), now(), '[]', 1, 1
       from generate_series($1::int, $1::int + $2::int - 1) n`,
      [from, count, uuid('whk', endpoint), status, attempts, new Date(clock.now().getTime() + dueInMs)],
    );
  }

  async function endpoint(index: number, goneForMs: number | undefined): Promise<void> {
    const gone = goneForMs === undefined ? null : new Date(clock.now().getTime() - goneForMs);
    await postgres.pool.query(
      `insert into read_model.webhooks (id, account_id, url, events, consecutive_failures, disabled_at, created_at,
         updated_at, secret_created_at, commit_position, prepare_position)
       values ($1, 'acc_1', '', '[]', 0, $2, now(), now(), now(), 1, 1)`,
      [uuid('whk', index), gone],
    );
  }

  const attempt = (index: number, number = 1): string => `${uuid('dlv', index).slice(4)}-${number}`;
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);

  it('wakes an overdue attempt, and none that has ended or is due much later', async () => {
    await deliveries(1, 1, { status: 'retrying', attempts: 2 });
    await deliveries(2, 1, { dueInMs: 60_001 });
    await deliveries(3, 1, { status: 'delivered' });
    await deliveries(4, 1, { status: 'dead_letter' });
    await sweep().run();
    expect(woken).to.deep.equal([attempt(1, 3)]);
  });

  it('hands over attempts due within a minute, once, with their due times', async () => {
    await deliveries(1, 2, { dueInMs: 50_000, status: 'retrying', attempts: 3 });
    await deliveries(3, 1, { dueInMs: 61_000 });
    const swept = sweep();
    for (let round = 0; round < 3; round += 1) await swept.run();
    expect(woken).to.deep.equal([attempt(1, 4), attempt(2, 4)]);
    expect(dueAt.get(attempt(2, 4))).to.deep.equal(inMs(50_001));
    const third = inMs(61_000);
    clock.advance(3000);
    await swept.run();
    expect(woken).to.deep.equal([attempt(1, 4), attempt(2, 4), attempt(3)]);
    expect(dueAt.get(attempt(3))).to.deep.equal(third);
  });

  it('runs often enough for that, whatever interval is configured', () => {
    expect(sweep(100).everyMs).to.equal(100);
    expect(sweep(600_000).everyMs).to.equal(30_000);
  });

  it('hands over ten thousand of many due at once, and the others in the next sweep', async () => {
    await deliveries(1, 10_500, { dueInMs: 1000 });
    const swept = sweep();
    await swept.run();
    expect(woken).to.have.length(10_000);
    await swept.run();
    await swept.run();
    expect(woken).to.have.length(10_500);
    expect(new Set(woken)).to.have.property('size', 10_500);
  });

  it('continues where the queue failed', async () => {
    await deliveries(1, 2500, { dueInMs: 1000 });
    const swept = sweep();
    queueTakes = 2000;
    const failure: unknown = await swept.run().catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    queueTakes = Infinity;
    await swept.run();
    expect(woken).to.have.length(2500);
    expect(new Set(woken)).to.have.property('size', 2500);
  });

  it('wakes a delivery that it saw only after its due time had passed', async () => {
    const swept = sweep();
    await swept.run();
    await deliveries(1, 1, { dueInMs: 30_000 });
    await swept.run();
    expect(woken).to.deep.equal([]);
    clock.advance(35_000);
    await swept.run();
    expect(woken).to.deep.equal([attempt(1)]);
  });

  it('hands over in time even after the clock was set back', async () => {
    const swept = sweep();
    await swept.run();
    clock.advance(-3_600_000);
    await deliveries(1, 1, { dueInMs: 50_000 });
    await swept.run();
    expect(woken).to.deep.equal([attempt(1)]);
  });

  it('wakes the most overdue one even if the queue has it, because the clock of the queue may have been moved', async () => {
    await deliveries(1, 2, { dueInMs: 50_000 });
    const swept = sweep();
    await swept.run();
    expect(hastened).to.deep.equal([]);
    clock.advance(3_600_000);
    await swept.run();
    expect(hastened).to.deep.equal([attempt(1)]);
  });

  it('pages through any number of overdue ones, the longest due first, and then starts over', async () => {
    await deliveries(1, 4500);
    const swept = sweep();
    for (let round = 0; round < 3; round += 1) await swept.run();
    expect(woken).to.have.length(4500);
    expect(new Set(woken)).to.have.property('size', 4500);
    expect(woken[0]).to.equal(attempt(1));
    await swept.run();
    expect(woken).to.have.length(6500);
    expect(woken[4500]).to.equal(woken[0]);
  });

  it('cancels deliveries to a deleted or disabled endpoint, due or not', async () => {
    await Promise.all([endpoint(1, undefined), endpoint(2, 1000)]);
    await deliveries(1, 3, { dueInMs: 3_600_000 });
    await deliveries(10, 3, { dueInMs: 3_600_000, endpoint: 2, status: 'retrying' });
    await deliveries(20, 1, { endpoint: 2, status: 'delivered' });
    await sweep().run();
    expect(cancelled).to.have.members([10, 11, 12].map((index) => uuid('dlv', index)));
    expect(woken).to.deep.equal([]);
  });

  it('is not slowed down by deliveries that are due later', async () => {
    await deliveries(1, 50_000, { dueInMs: 60_000 });
    await deliveries(60_000, 10);
    await postgres.pool.query('analyze read_model.webhook_deliveries');
    const plans: string[] = [];
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await postgres.pool.query<Record<string, string>>(`explain ${text}`, values);
        plans.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
        return { rows: [] };
      },
    } as unknown as Pick<Postgres['pool'], 'query'>;
    const open = openDeliveriesIn(explaining);
    await open.due(clock.now(), { next_attempt_at: new Date(0), id: '' }, 2000);
    await open.due(inMs(60_000), { next_attempt_at: inMs(57_000), id: '' }, 2000);
    const plan = plans.join('\n');
    expect(plan.match(/Index Scan using webhook_deliveries_\w+/g)).to.have.length(2);
    expect(plan).not.to.match(/Sort|Seq Scan/);
  });
});
