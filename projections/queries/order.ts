import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { PayableOrder } from '../../domain/order/state.ts';
import { ownById, ownList } from './lists.ts';
import { db, rowsOf, type Queryable } from './tables.ts';

const payable = db
  .selectFrom('read_model.orders')
  .select(['id', 'created_at', sql<PayableOrder>`state`.as('state')])
  // In the text, so that the index on these rows is found.
  .where(sql<boolean>`status not in ('placed', 'withdrawn')`);

/** The account's orders that somebody was asked to pay; one of them. */
export const listOrders = ownList('list-crypto-orders', payable);
export const oneOrder = ownById('get-crypto-order', payable);

/** The payments of open orders that have seen money, the present one and those before it. */
export async function unsettledPayments(pool: Queryable): Promise<readonly string[]> {
  const rows = await rowsOf<{ readonly state: PayableOrder }>(
    pool,
    `select state from read_model.orders where status in ('partially_paid', 'confirming') order by created_at`,
    [],
  );
  return rows.flatMap(({ state }) => [state.payment.paymentId, ...state.replaced]);
}

/** The newest first, for an operator. */
export async function ordersFor(
  pool: Queryable,
  filter: { readonly account?: AccountId; readonly limit: number },
): Promise<readonly PayableOrder[]> {
  const rows = await rowsOf<{ readonly state: PayableOrder }>(
    pool,
    `select state from read_model.orders
     where status not in ('placed', 'withdrawn') and ($1::text is null or account_id = $1)
     order by created_at desc, id desc limit $2`,
    [filter.account ?? null, filter.limit],
  );
  return rows.map(({ state }) => state);
}

/** Those with money that a person has to look at, the oldest first. */
export async function ordersToReview(pool: Queryable, limit: number): Promise<readonly PayableOrder[]> {
  const rows = await rowsOf<{ readonly state: PayableOrder }>(
    pool,
    `select state from read_model.orders where reviews > 0 order by created_at, id limit $1`,
    [limit],
  );
  return rows.map(({ state }) => state);
}
