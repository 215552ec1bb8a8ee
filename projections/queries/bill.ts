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
  /** JSON, separated by commas. */
  readonly lines: string;
}

/** An account's payments in a month. */
export const billOfMonth = freshStatement<BillParameters, BillOfAccount>('bill', (parameter) =>
  db
    .selectFrom('read_model.accounts as account')
    .innerJoin(
      sql<Omit<BillOfAccount, 'id'>>`lateral (
        select coalesce(sum(amount_cents), 0)::text as total_cents,
          coalesce(string_agg(shown, ',' order by paid_at, line.id), '') as lines
        from read_model.bill_lines as line
        where line.account_id = account.id and line.period = ${parameter('period')}
      )`.as('bill'),
      (join) => join.onTrue(),
    )
    .where('account.id', '=', parameter('accountId'))
    .select(['account.id', 'bill.total_cents', 'bill.lines']),
);

interface PaidAlike {
  readonly account_id: AccountId;
  readonly kind: BillKind;
  readonly item: string | null;
  readonly amount_cents: string;
  readonly lines: number;
}

/** Payments of all accounts in a month, counted by item. For an operator. */
export const paidInMonth = (pool: Queryable, period: string): Promise<PaidAlike[]> =>
  rowsOf(
    pool,
    `select account_id, kind, item, amount_cents, count(*)::integer as lines from read_model.bill_lines
     where period = $1 group by account_id, kind, item, amount_cents order by account_id, kind, item, amount_cents`,
    [period],
  );
