import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { BillKind } from '../../contracts/resources/bill.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, rowsOf, type Queryable } from './tables.ts';

interface BillParameters {
  readonly accountId: AccountId;
  readonly period: string;
}

interface BillOfAccount {
  readonly id: AccountId;
  readonly total_cents: string;
  /** JSON: the sum of each currency. */
  readonly totals: string;
  /** JSON, separated by commas. */
  readonly lines: string;
}

/** The currency of a line, which only its shown form has. */
const currency = `shown::json ->> 'currency'`;

/** An account's payments in a month. */
export const billOfMonth = freshStatement<BillParameters, BillOfAccount>('bill', (parameter) =>
  db
    .selectFrom('read_model.accounts as account')
    .innerJoin(
      sql<Omit<BillOfAccount, 'id'>>`lateral (
        select coalesce(sum(amount_cents), 0)::text as total_cents,
          (
            select coalesce(json_agg(total order by currency), '[]')::text from (
              select ${sql.raw(currency)} as currency, sum(amount_cents) as amount_cents
              from read_model.bill_lines as paid
              where paid.account_id = account.id and paid.period = ${parameter('period')}
              group by 1
            ) as total
          ) as totals,
          coalesce(string_agg(shown, ',' order by paid_at, line.id), '') as lines
        from read_model.bill_lines as line
        where line.account_id = account.id and line.period = ${parameter('period')}
      )`.as('bill'),
      (join) => join.onTrue(),
    )
    .where('account.id', '=', parameter('accountId'))
    .select(['account.id', 'bill.total_cents', 'bill.totals', 'bill.lines']),
);

interface PaidAlike {
  readonly account_id: AccountId;
  readonly kind: BillKind;
  readonly item: string | null;
  readonly currency: string;
  readonly amount_cents: string;
  readonly lines: number;
}

/** Payments of all accounts in a month, counted by item and amount. For an operator. */
export const paidInMonth = (pool: Queryable, period: string): Promise<PaidAlike[]> =>
  rowsOf(
    pool,
    `select account_id, kind, item, ${currency} as currency, amount_cents, count(*)::integer as lines
     from read_model.bill_lines where period = $1 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [period],
  );
