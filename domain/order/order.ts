import { orderEvents, type OrderEvent, type ReviewReason } from '../../contracts/events/order.ts';
import type { AccountId, OrderId } from '../../contracts/ids.ts';
import type { ProcessorPayment, ProcessorStatus } from '../../contracts/processor-payment.ts';
import { refuse } from '../../contracts/problems.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from '../kit/decider.ts';
import { tooLate } from '../kit/record.ts';
import { isBefore } from '../kit/time.ts';
import { checksAfter, checksLeft, isCheckDue } from './checks.ts';
import { endOf, isKnownPayment, observe, orderFields, paymentCreated } from './observe.ts';
import {
  evolve,
  isOpen,
  isPayable,
  isPlaced,
  type Order,
  type PayableOrder,
  type Recorded,
} from './state.ts';

export type OrderCommand = CommandsOf<{
  PlaceOrder: Omit<Recorded<'OrderPlaced'>, 'at'>;
  /** Invalidates an id whose order was not placed in time. */
  AbandonOrder: { orderId: OrderId; accountId: AccountId };
  /** The processor refused to create a payment. */
  WithdrawOrder: unknown;
  /** Requests a payment in another currency, which replaces the present one. */
  RequestPayment: { payCurrency: string };
  /** The processor's payment for an attempt. The first recorded one counts. */
  RecordPayment: { attempt: number; payment: ProcessorPayment };
  /** The processor's answer about a payment. */
  ObservePayment: { payment: ProcessorPayment };
  CancelOrder: unknown;
  /** Does nothing before it is due. Sent after a query to the processor, so that no received money is missed. */
  ExpireOrder: { by: 'window' | 'sweep' | 'operator' };
  /** The processor was asked about the payments of an ended order. Does nothing before that is due. */
  RecordCheck: unknown;
  /** The customer's account is erased. */
  ReviewErased: unknown;
}>;

/** Maximum payments of an order. The processor is queried about each of them when the order ends. */
const mostPayments = 20;

const tooManyPayments = () =>
  refuse(
    'conflict',
    `The currency of an order can be changed ${mostPayments - 1} times. Pay in the present one, or cancel the order and place another.`,
  );

const rules: Rules<Order, OrderCommand, OrderEvent> = {
  PlaceOrder(state, { type: _, ...data }) {
    if (state.status === 'abandoned') throw tooLate();
    return state.status === 'none' ? [{ type: 'OrderPlaced', data }] : [];
  },
  AbandonOrder: (state, { type: _, ...data }) =>
    state.status === 'none' ? [{ type: 'OrderAbandoned', data }] : [],
  WithdrawOrder(state, { at }) {
    return state.status === 'placed' ? [{ type: 'OrderWithdrawn', data: orderFields(state, at) }] : [];
  },
  RequestPayment(state, { payCurrency, at }) {
    const order = pending(state);
    const last = order.requested ?? order.payment;
    if (last.payCurrency === payCurrency) return [];
    if (last.attempt >= mostPayments) throw tooManyPayments();
    const { orderId, accountId } = order;
    const attempt = last.attempt + 1;
    return [{ type: 'PaymentRequested', data: { orderId, accountId, attempt, payCurrency, at } }];
  },
  RecordPayment(state, { attempt, payment, at }) {
    if (!isPlaced(state)) throw refuse('not-found');
    if (state.payment?.attempt === attempt || isKnownPayment(state, payment.paymentId)) return [];
    if (state.status !== 'placed') pending(state);
    if (state.requested?.attempt !== attempt)
      throw refuse('conflict', 'Another currency was chosen in the meantime.');
    return [paymentCreated(state, attempt, payment, at)];
  },
  ObservePayment: (state, { payment, at }) => observe(state, payment, at),
  CancelOrder(state, { at }) {
    return [
      { type: 'OrderCancelled', data: { ...orderFields(pending(state), at), checksAt: checksAfter(at) } },
    ];
  },
  ExpireOrder(state, { by, at }) {
    if (!isPlaced(state)) return by === 'operator' ? pendingOnly(state) : [];
    const due = { window: state.expiresAt, sweep: state.sweepAt, operator: at }[by];
    if (isBefore(at, due)) return [];
    if (state.status === 'placed') return [{ type: 'OrderWithdrawn', data: orderFields(state, at) }];
    if (!isPayable(state) || !isOpen(state) || state.status === 'confirming')
      return by === 'operator' ? pendingOnly(state) : [];
    return expiry(state, by, at);
  },
  RecordCheck(state, { at }) {
    if (!isPlaced(state) || !isCheckDue(state, at)) return [];
    return [
      { type: 'PaymentsChecked', data: { ...orderFields(state, at), checksAt: checksLeft(state, at) } },
    ];
  },
  ReviewErased(state, { at }) {
    if (!isPayable(state) || state.reviews.some(({ reason }) => reason === 'account_erased')) return [];
    return [reviewOf(state, 'account_erased', 'finished', at)];
  },
};

/**
 * An order that ends with a partial payment queues that for review, also if its amount is under review: the rest can no longer be paid, so
 * somebody has to send it back.
 */
function expiry(order: PayableOrder, by: 'window' | 'sweep' | 'operator', at: string): readonly OrderEvent[] {
  const reason = by === 'sweep' ? 'swept' : 'expired';
  const expired: OrderEvent = { type: 'OrderExpired', data: { ...endOf(order, at), reason, by } };
  if (BigInt(order.amountPaid) === 0n) return [expired];
  return [expired, reviewOf(order, 'partial', 'partially_paid', at)];
}

/** Queues the paid part of the order for review. */
function reviewOf(
  order: PayableOrder,
  reason: ReviewReason,
  processorStatus: ProcessorStatus,
  at: string,
): OrderEvent {
  const { amountPaid } = order;
  const { paymentId, payCurrency, payExponent } = order.payment;
  const facts = { reason, paymentId, payCurrency, payExponent, amountPaid, processorStatus };
  return { type: 'PaymentReviewRequested', data: { ...orderFields(order, at), ...facts } };
}

function pending(state: Order): PayableOrder {
  if (!isPayable(state)) throw refuse('not-found');
  return state.status === 'pending' ? state : pendingOnly(state);
}

function pendingOnly(state: Order): never {
  if (!isPayable(state)) throw refuse('not-found');
  throw refuse('conflict', `The order is ${state.status.replace('_', ' ')}.`);
}

/**
 * An order paid with crypto.
 *
 * | status                              | event            | next           |
 * |-------------------------------------|------------------|----------------|
 * | none                                | OrderPlaced      | placed         |
 * | none                                | OrderAbandoned   | abandoned      |
 * | placed                              | OrderWithdrawn   | withdrawn      |
 * | placed, pending                     | PaymentCreated   | pending        |
 * | pending, confirming                 | OrderPartlyPaid  | partially_paid |
 * | pending, partially_paid             | OrderConfirming  | confirming     |
 * | pending, partially_paid, confirming | OrderPaid        | paid           |
 * | pending, partially_paid, confirming | OrderFailed      | failed         |
 * | pending, partially_paid             | OrderExpired     | expired        |
 * | pending                             | OrderCancelled   | cancelled      |
 *
 * - It is paid at most once, and only because the processor says `finished` of its present payment.
 * - `confirming` does not expire: the money is under way. If less than the requested amount has arrived in the end, it is partly paid.
 * - Money that pays nothing leads to `PaymentReviewRequested`, in every status.
 * - After an end without payment the processor is asked again, each time with a `PaymentsChecked`.
 */
export const order: Decider<Order, OrderCommand, OrderEvent> = {
  category: orderEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};
