import { isDeepStrictEqual } from 'node:util';
import { isAtLeast } from '../../../../contracts/decimal.ts';
import type { StoredPayment } from '../../testbed/index.ts';
import { byStream, field, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';
import { amountOf, plainAmount } from './payments.ts';

export const ordersArePaidOnce: Invariant = {
  id: 'N18',
  holds:
    'An order is paid at most once, and exactly when the processor says that its present payment is finished with enough money in time; all other money that the processor spoke of has been put before a person, for a reason that is true. No order stays open past its window, unless its money is on the way.',
  judged:
    'the raw order streams against the books of the crypto processor’s stand-in, what it answered about each payment, and which callbacks were taken',
  violations: (evidence) => {
    const books = new Map(evidence.payments.crypto.map((payment) => [payment.payment_id, payment]));
    const orders = byStream(evidence.log, 'order');
    return [
      ...[...orders].flatMap(([stream, events]) =>
        [...openTooLong(events, books), ...paidWrongly(events, books), ...reviewedWrongly(events)].map(
          (what) => ({ what, stream }),
        ),
      ),
      ...evidence.payments.crypto.flatMap((payment) => unexplained(evidence, payment, orders)),
    ];
  },
};

const typesOf = (events: readonly LogEvent[]): readonly string[] => events.map(({ type }) => type);

/** A deliberate second copy. */
const ends = [
  'OrderPaid',
  'OrderFailed',
  'OrderExpired',
  'OrderCancelled',
  'OrderWithdrawn',
  'OrderAbandoned',
];
const unpaidEnds = ends.filter((type) => type !== 'OrderPaid');

type Books = ReadonlyMap<string, StoredPayment>;

function openTooLong(events: readonly LogEvent[], books: Books): string[] {
  if (events.some(({ type }) => ends.includes(type))) return [];
  const last = events.findLast(({ type }) => type === 'OrderConfirming' || type === 'OrderPartlyPaid');
  const status = books.get(presentPayment(events))?.payment_status;
  if (last?.type === 'OrderConfirming' && status === 'confirming') return [];
  return [`it is open, and its payment is ${status ?? 'unknown'}`];
}

const presentPayment = (events: readonly LogEvent[]): string => {
  const made = events.findLast(({ type }) => type === 'PaymentCreated');
  return made === undefined ? '' : field(made, 'paymentId');
};

function paidWrongly(events: readonly LogEvent[], books: Books): string[] {
  const paid = events.filter(({ type }) => type === 'OrderPaid');
  return [
    ...(paid.length > 1 ? [`it was paid ${paid.length} times`] : []),
    ...paid.flatMap((event) => {
      const payment = books.get(field(event, 'paymentId'));
      const isPaid =
        payment?.payment_status === 'finished' &&
        payment.order_id === field(event, 'orderId') &&
        isAtLeast(payment.actually_paid, payment.pay_amount) &&
        Number(payment.price_amount) * 100 === event.data.priceCents;
      return isPaid ? [] : [`it is paid, and the processor says ${JSON.stringify(payment)}`];
    }),
  ];
}

/** Whether the reason of a review is true, judged by the order's stream before it. */
const reasons: Readonly<Record<string, (before: readonly LogEvent[], review: LogEvent) => boolean>> = {
  late: (before) => typesOf(before).some((type) => unpaidEnds.includes(type)),
  partial: (before) => typesOf(before).some((type) => type === 'OrderExpired' || type === 'OrderFailed'),
  extra: (before) => typesOf(before).includes('OrderPaid'),
  other_payment: (before, review) => presentPayment(before) !== field(review, 'paymentId'),
  amount: (before, review) => {
    const made = before.findLast(({ type }) => type === 'PaymentCreated');
    return made !== undefined && BigInt(field(review, 'amountPaid')) < BigInt(field(made, 'payAmount'));
  },
};

const reviewedWrongly = (events: readonly LogEvent[]): string[] =>
  events.flatMap((event, index) => {
    if (event.type !== 'PaymentReviewRequested') return [];
    const reason = field(event, 'reason');
    const isTrue = reasons[reason]?.(events.slice(0, index), event) ?? false;
    return isTrue ? [] : [`a person is to look at ${field(event, 'paymentId')}, which is not ${reason}`];
  });

/**
 * Money that the service knows of has paid an order or is under review. It may not know yet of a payment after the order's end
 * whose callback was dropped, because it asks about ended orders only an hour after the end and later.
 */
function unexplained(
  { payments }: Evidence,
  payment: StoredPayment,
  orders: ReadonlyMap<string, readonly LogEvent[]>,
): Violation[] {
  const { payment_id: id, order_id, payment_status: status, actually_paid: amount } = payment;
  if (status === 'waiting') return [];
  const stream = `order-${order_id.slice('ord_'.length)}`;
  const isTaken = payments.callbacks.some(
    (each) => each.id === id && each.says === status && each.amount === amount && each.isTaken,
  );
  const isKnown = isDeepStrictEqual(payments.answered[id], payment);
  if (!isKnown && isTaken)
    return [{ what: `a callback about ${id} was taken, and nobody has asked`, stream }];
  if (!isKnown || plainAmount(amount) === '0') return [];
  const events = orders.get(stream) ?? [];
  const exponent = events.findLast(
    (event) => event.type === 'PaymentCreated' && field(event, 'paymentId') === id,
  )?.data.payExponent;
  const explains = (event: LogEvent): boolean =>
    field(event, 'paymentId') === id &&
    ((event.type === 'OrderPaid' && amountOf(event, exponent) === plainAmount(amount)) ||
      (event.type === 'PaymentReviewRequested' && amountOf(event) === plainAmount(amount)) ||
      (event.type === 'OrderConfirming' && status === 'confirming'));
  return events.some(explains)
    ? []
    : [{ what: `nothing explains ${amount} of ${id}, which is ${status}`, stream }];
}
