import type pg from 'pg';
import type { Ask } from '../asks.ts';
import { filledTables } from '../filled-tables.ts';
import { percentile } from '../latency.ts';
import { setCheckpoint } from '../read-models.ts';
import { addReader, filledAccount, filledAt, sqlId, type Reader } from '../read-side.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 1000, stretch: 500 };
const sizes = [100, 100_000] as const;
const [requests, warming] = [20, 5];
const period = filledAt(0).slice(0, 7);

interface Lines {
  readonly lines: number;
}

interface FilledLines extends Lines {
  readonly payer: Reader;
}

async function fillLines(pool: pg.Pool, { lines }: Lines): Promise<FilledLines> {
  const payer = await addReader(pool, 0);
  await pool.query(
    `insert into read_model.bill_lines (id, account_id, period, kind, item, amount_cents, paid_at, shown,
       commit_position, prepare_position)
     select ${sqlId('', 'i')}, $2, $3, 'crypto', 'api_builder_month', 4900, $4::timestamptz + i * interval '1 second',
       json_build_object('amount_cents', 4900, 'currency', 'usd', 'kind', 'crypto', 'item', 'api_builder_month',
         'reference', ${sqlId('ord', 'i')}, 'paid_at', $4::text, 'event_ids', jsonb_build_array(gen_random_uuid(), gen_random_uuid()))::text,
       0, 0
     from generate_series(0, $1::int - 1) as i`,
    [lines, filledAccount(payer.account), period, filledAt(0)],
  );
  await pool.query('vacuum analyze read_model.bill_lines');
  await setCheckpoint(pool, { commit: 0n, prepare: 0n });
  return { lines, payer };
}

const tables = filledTables<Lines, FilledLines>(
  sizes.map((lines) => ({ lines })),
  { databaseOf: ({ lines }) => `bill_${lines}`, fill: fillLines },
);

const ask: Ask<FilledLines> = ({ payer }) => ({
  path: `/v1/billing/explain?period=${period}`,
  reader: payer,
});

export const billingExplain: CheckSubject = {
  kind: 'check',
  id: 'billing-explain',
  long: true,
  title: 'the bill of a month of 100000 payments explained, p99',
  bars,
  unit: 'ms',
  async check(bench) {
    const served = await tables(bench);
    try {
      const measured = await served.measure(ask, requests, warming);
      const p99 = (of: number): number =>
        percentile(measured.find(({ shape }) => shape.lines === of)?.took ?? [], 0.99);
      return atMost(bars, p99(100_000), { requests, p99_ms_of_100: p99(100) });
    } finally {
      await served.close();
    }
  },
};
