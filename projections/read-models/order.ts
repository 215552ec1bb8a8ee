import { orderEvents } from '../../contracts/events/order.ts';
import type { AccountId, OrderId } from '../../contracts/ids.ts';
import { order } from '../../domain/order/order.ts';
import { isPlaced, type ExistingOrder, type Order } from '../../domain/order/state.ts';
import { readModel } from '../engine/read-model.ts';
import { stateRows } from '../engine/state-rows.ts';
import { column, jsonOf, textOf } from '../engine/table.ts';

function rowOf(state: Order) {
  if (!isPlaced(state)) throw new Error('An event changes an order that is not there');
  return {
    id: state.orderId,
    account_id: state.accountId,
    status: state.status,
    reviews: state.reviews.length,
    reviewed_at: state.reviews.at(-1)?.at ?? null,
    state,
    created_at: state.createdAt,
  };
}

/** Every order, including those without a requested payment. */
export const orders = readModel('orders', {
  of: orderEvents,
  id: 'order',
  columns: {
    id: textOf<OrderId>(),
    account_id: textOf<AccountId>(),
    status: textOf<ExistingOrder['status']>(),
    /** Number of findings to review, with their payments. */
    reviews: column.integer,
    /** Time of the latest one; null: none. */
    reviewed_at: column.optionalTime,
    state: jsonOf<ExistingOrder>(),
    created_at: column.time,
  },
  /** For the account's list; open orders; orders to review. */
  indexes: [
    `(account_id, created_at desc, id desc) where status not in ('placed', 'withdrawn')`,
    `(status) where status in ('partially_paid', 'confirming')`,
    `(reviewed_at desc, id desc) where reviews > 0`,
  ],
  ...stateRows(order, ['OrderAbandoned'], rowOf),
});
