import { useLocation } from 'preact-iso';
import { billing, type BillLine } from '../../../../contracts/client/index.ts';
import { moneyText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { useSetValues } from '../../parts/filters.tsx';
import { Read } from '../../parts/read.tsx';
import { Id, Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const amountOf = ({ amount_cents: cents, currency }: Pick<BillLine, 'amount_cents' | 'currency'>): string =>
  moneyText(cents, currency);

const columns: readonly Column<BillLine>[] = [
  { name: words.amount, cell: amountOf },
  { name: words.item, cell: ({ item }) => item },
  { name: words.kind, cell: ({ kind }) => words.kinds[kind] },
  { name: words.reference, cell: ({ reference }) => <Id id={reference} /> },
  { name: words.paid, cell: ({ paid_at }) => <Time at={paid_at} /> },
  {
    name: words.events,
    cell: ({ event_ids: ids }) => (
      <details>
        <summary>{ids.length}</summary>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <Id id={id} />
            </li>
          ))}
        </ul>
      </details>
    ),
  },
];

/** Explains the bill of a month: each amount, down to its events. */
export function Explain() {
  const { period = new Date().toISOString().slice(0, 7) } = useLocation().query;
  const set = useSetValues();
  return (
    <Page title={words.explain}>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>{words.month}</span>
          <input
            type="month"
            value={period}
            onChange={({ currentTarget }) => set({ period: currentTarget.value })}
          />
        </label>
      </form>
      <Read what={period} read={() => billing(connection).explain({ period })}>
        {({ totals, lines }) =>
          lines.length === 0 ? (
            <p>{words.nothing}</p>
          ) : (
            <>
              <p>{filled(words.total, { period, amount: totals.map(amountOf).join(', ') })}</p>
              <Table
                name={words.explain}
                items={lines}
                keyOf={({ reference, paid_at }) => `${reference} ${paid_at}`}
                columns={columns}
              />
            </>
          )
        }
      </Read>
    </Page>
  );
}
