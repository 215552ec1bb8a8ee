import type { Bill, BillKind } from '../../contracts/resources/bill.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { billed, billLineOf } from '../../domain/bill.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Projection } from '../engine/projection.ts';
import { column, textOf, writeRows, type Positioned, type RowOf, type Table } from '../engine/table.ts';

const columns = {
  /** Id of the event of the payment. */
  id: column.text,
  account_id: textOf<AccountId>(),
  period: column.text,
  kind: textOf<BillKind>(),
  item: column.optionalText,
  amount_cents: column.bigint,
  paid_at: column.time,
  /** The line in its shown form, as JSON: a month may have a hundred thousand. */
  shown: column.text,
};

const table: Table<typeof columns> = {
  name: 'bill_lines',
  columns,
  key: ['id'],
  indexes: ['(account_id, period)', '(period)'],
  handlers: 1,
};

function rowOf(event: RecordedEvent): RowOf<typeof columns> | undefined {
  const line = billLineOf(event);
  if (line === undefined) return undefined;
  const { accountId, period, kind, item, reference, amountCents, currency, paidAt, eventIds } = line;
  const shown: Bill['lines'][number] = {
    ...{ amount_cents: amountCents, currency, kind, item, reference },
    ...{ paid_at: paidAt, event_ids: [...eventIds] },
  };
  return {
    ...{ id: event.id, account_id: accountId, period, kind, item },
    ...{ amount_cents: String(amountCents), paid_at: paidAt, shown: JSON.stringify(shown) },
  };
}

/** Payments by account and month, with the events behind each amount. */
export const billLines = {
  name: table.name,
  table,
  ...billed,
  rowOf: (event) => event.id,
  open: (client, schema) => {
    const rows: Positioned<RowOf<typeof columns>>[] = [];
    return Promise.resolve({
      apply(event: RecordedEvent) {
        const row = rowOf(event);
        if (row !== undefined) rows.push({ row, position: event.position });
      },
      write: () => writeRows(client, schema, table, 'upsert', rows),
    });
  },
} as const satisfies Projection;
