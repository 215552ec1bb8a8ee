import type pg from 'pg';
import { toId } from '../../../contracts/ids.ts';
import { scattered, type Ask } from './asks.ts';
import { filledTables } from './filled-tables.ts';
import { percentile } from './latency.ts';
import { setCheckpoint } from './read-models.ts';
import { addReader, numberedUuid, sqlId, type Reader } from './read-side.ts';
import { atMost, type CheckSubject, type Finding } from './subject.ts';

const bars = { pass: 1.5, stretch: 1.2 };
const [few, many] = [1_000, 1_000_000];
const page = 50;
const requests = 2_000;
const deadLetterEvery = 10;
const at = '2026-01-05T12:00:00.000Z';

interface Deliveries {
  readonly deliveries: number;
}

interface FilledDeliveries extends Deliveries {
  readonly reader: Reader;
}

const webhookId = toId('webhook', numberedUuid(0));

/**
 * Number `i` is `i` seconds younger than the first; all have the same endpoint. One in ten is a dead letter, one in two
 * is of a failed session.
 */
async function fillDeliveries(pool: pg.Pool, { deliveries }: Deliveries): Promise<FilledDeliveries> {
  const reader = await addReader(pool, 0);
  await pool.query(
    `insert into read_model.webhooks (id, account_id, url, events, consecutive_failures, created_at, updated_at,
       secret_created_at, commit_position, prepare_position)
     select $1, ${sqlId('acc', '0')}, 'https://receiver.example/hooks', '["session.completed", "session.failed"]', 0,
       $2::timestamptz, $2, $2, 0, 0`,
    [webhookId, at],
  );
  await pool.query(
    `insert into read_model.webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, status, trigger,
       attempt_count, created_at, updated_at, delivered_at, attempts, commit_position, prepare_position)
     select ${sqlId('dlv', 'i')}, ${sqlId('acc', '0')}, $2, md5(i::text)::uuid,
       case i % 2 when 0 then 'session.completed' else 'session.failed' end,
       case i % ${deadLetterEvery} when 0 then 'dead_letter' else 'delivered' end, 'event', 1,
       $3::timestamptz + i * interval '1 second', $3, $3, $4, i, i
     from generate_series(0, $1::int - 1) as i`,
    [deliveries, webhookId, at, JSON.stringify([attempt])],
  );
  await pool.query('vacuum analyze read_model.webhook_deliveries');
  await setCheckpoint(pool, { commit: BigInt(deliveries), prepare: BigInt(deliveries) });
  return { deliveries, reader };
}

const attempt = {
  at,
  response_status: 204,
  error: null,
  duration_ms: 80,
  timings: { resolve_ms: 4, connect_ms: 31, first_byte_ms: 79 },
};

const tables = filledTables<Deliveries, FilledDeliveries>(
  [few, many].map((deliveries) => ({ deliveries })),
  { databaseOf: ({ deliveries }) => `deliveries_${deliveries}`, fill: fillDeliveries },
);

/** Queries of the list, to be combined with a cursor. */
const filters = {
  all: '',
  by_status: '&status=dead_letter',
  by_type: '&event_type=session.failed',
  by_both: '&status=delivered&event_type=session.completed',
  none_such: '&status=pending',
} as const;

/** Pages at any position of the list from which a page of dead letters is full. */
const askFor =
  (filter: string): Ask<FilledDeliveries> =>
  ({ deliveries, reader }, index) => {
    const older = page * deadLetterEvery;
    const place = older + scattered(index, deliveries - older);
    const until = new Date(Date.parse(at) + 1000 * place).toISOString();
    return { path: `/v1/webhooks/${webhookId}/deliveries?limit=${page}&until=${until}${filter}`, reader };
  };

export const deliveriesList: CheckSubject = {
  kind: 'check',
  id: 'deliveries-list',
  title: `p99 of a page of ${page} among a million deliveries of one endpoint / among 1 000, whatever the filter`,
  long: true,
  bars,
  unit: 'x',
  async check(bench) {
    const served = await tables(bench);
    try {
      let figures: Finding['figures'] = { requests };
      const ratios: number[] = [];
      for (const [name, filter] of Object.entries(filters)) {
        const measured = await served.measure(askFor(filter), requests);
        const p99 = (of: number): number =>
          percentile(measured.find(({ shape }) => shape.deliveries === of)?.took ?? [], 0.99);
        ratios.push(p99(many) / p99(few));
        figures = { ...figures, [`${name}_p99_ms_at_1k`]: p99(few), [`${name}_p99_ms_at_1m`]: p99(many) };
      }
      return atMost(bars, Math.max(...ratios), figures);
    } finally {
      await served.close();
    }
  },
};
