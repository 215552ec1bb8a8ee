import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { ExistingOrder, PayableOrder } from '../../domain/order/state.ts';
import { ownById, ownList } from './lists.ts';
import { countOf, db, rowsOf, type Queryable } from './tables.ts';

const payable = db
  .selectFrom('read_model.orders')
  .select(['id', 'created_at', sql<PayableOrder>`state`.as('state')])
  // Literal, for the partial index on these rows.
  .where(sql<boolean>`status not in ('placed', 'withdrawn')`);

/** The account's orders with a requested payment; one of them. */
export const listOrders = ownList('list-crypto-orders', payable);
export const oneOrder = ownById('get-crypto-order', payable);

/** Payments of open orders that have received money, the present one and earlier ones. */
export async function unsettledPayments(pool: Queryable): Promise<readonly string[]> {
  const where = "status in ('partially_paid', 'confirming') order by created_at";
  const orders = await statesOf<PayableOrder>(pool, where, []);
  return orders.flatMap(({ payment, replaced }) => [payment.paymentId, ...replaced]);
}

export interface OrderFilter {
  readonly account?: AccountId;
  readonly limit: number;
}

/** Newest first, for an operator. */
export const ordersFor = (pool: Queryable, { account, limit }: OrderFilter) =>
  statesOf<PayableOrder>(
    pool,
    `status not in ('placed', 'withdrawn') and ($1::text is null or account_id = $1)
     order by created_at desc, id desc limit $2`,
    [account ?? null, limit],
  );

/** Orders with a finding to review, also such that were never shown to their customers. The latest finding first. */
export const ordersToReview = (pool: Queryable, limit: number) =>
  statesOf<ExistingOrder>(pool, 'reviews > 0 order by reviewed_at desc, id desc limit $1', [limit]);

/** The number of orders with a finding to review. */
export const countToReview = (pool: Queryable): Promise<number> =>
  countOf(pool, 'select count(*)::integer as count from read_model.orders where reviews > 0');

/** `State`: that of the orders which meet the condition. */
async function statesOf<State extends ExistingOrder>(
  pool: Queryable,
  where: string,
  values: unknown[],
): Promise<readonly State[]> {
  const text = `select state from read_model.orders where ${where}`;
  const rows = await rowsOf<{ readonly state: State }>(pool, text, values);
  return rows.map(({ state }) => state);
}
