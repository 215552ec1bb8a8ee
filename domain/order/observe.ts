import { coinExponent } from '../../contracts/crypto-currencies.ts';
import { unitsIn } from '../../contracts/decimal.ts';
import type { OrderEvent, ReviewReason } from '../../contracts/events/order.ts';
import type { ProcessorPayment, ProcessorStatus } from '../../contracts/processor-payment.ts';
import { checksAfter } from './checks.ts';
import {
  evolve,
  isOpen,
  isPayable,
  isPlaced,
  type ExistingOrder,
  type Order,
  type PayableOrder,
} from './state.ts';

export const orderFields = ({ orderId, accountId }: ExistingOrder, at: string) => ({
  orderId,
  accountId,
  at,
});

/** The fields for webhooks and receipts. */
const summaryOf = (order: PayableOrder, at: string) => ({
  ...orderFields(order, at),
  product: order.product,
  priceCents: order.priceCents,
  priceCurrency: order.priceCurrency,
  paymentId: order.payment.paymentId,
});

/** The fields of an end without payment. */
export const endOf = (order: PayableOrder, at: string) => ({
  ...summaryOf(order, at),
  checksAt: checksAfter(at),
});

/** The payment request shown to the customer. An amount finer than the currency's usual unit keeps all its digits. */
export function paymentCreated(
  order: ExistingOrder,
  attempt: number,
  payment: ProcessorPayment,
  at: string,
): OrderEvent {
  const { paymentId, payCurrency, payAmount, payAddress, payMemo } = payment;
  const payExponent = Math.max(coinExponent(payCurrency), payAmount.exponent);
  const amount = { payAmount: String(unitsIn(payAmount, payExponent)), payExponent };
  return {
    type: 'PaymentCreated',
    data: { ...orderFields(order, at), attempt, paymentId, payCurrency, ...amount, payAddress, payMemo },
  };
}

/**
 * The events that follow from the processor's answer about a payment. An open order follows its present payment if order, price
 * and currency match. Money of any other payment, or received after the order has ended, leaves the order as it is and is queued
 * for review.
 */
export function observe(state: Order, payment: ProcessorPayment, at: string): readonly OrderEvent[] {
  if (!isPlaced(state) || payment.orderId !== state.orderId) return [];
  const adopted = adoption(state, payment);
  if (adopted === undefined)
    return isOpen(state) ? progress(state, payment, at) : afterEnd(state, payment, at);
  const created = paymentCreated(state, adopted, payment, at);
  const next = evolve(state, created);
  return [created, ...(isPlaced(next) ? progress(next, payment, at) : [])];
}

/**
 * The attempt that a payment belongs to, if that payment is not recorded yet: its callback came first, or the reply
 * was lost.
 */
function adoption(state: ExistingOrder, payment: ProcessorPayment): number | undefined {
  const { requested } = state;
  const isAwaited = state.status === 'placed' || state.status === 'pending';
  if (!isAwaited || requested?.payCurrency !== payment.payCurrency) return undefined;
  if (isKnownPayment(state, payment.paymentId) || !isPriceOf(state, payment)) return undefined;
  return requested.attempt;
}

/** True for the last requested payment while it is not recorded. */
export const isAwaitedPayment = (state: ExistingOrder, payment: ProcessorPayment): boolean =>
  adoption(state, payment) !== undefined;

export const isKnownPayment = ({ payment, replaced }: ExistingOrder, paymentId: string): boolean =>
  payment?.paymentId === paymentId || replaced.includes(paymentId);

const isPriceOf = ({ priceCents, priceCurrency }: ExistingOrder, { price, ...payment }: ProcessorPayment) =>
  payment.priceCurrency === priceCurrency && price.exponent <= 2 && unitsIn(price, 2) === BigInt(priceCents);

function mismatchOf(order: ExistingOrder, payment: ProcessorPayment): ReviewReason | undefined {
  if (order.payment?.paymentId !== payment.paymentId) return 'other_payment';
  if (order.payment.payCurrency !== payment.payCurrency) return 'currency';
  return isPriceOf(order, payment) ? undefined : 'price';
}

const moneyStatuses: readonly ProcessorStatus[] = [
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
];
const hasMoney = ({ status, actuallyPaid }: ProcessorPayment): boolean =>
  moneyStatuses.includes(status) || (status !== 'refunded' && (actuallyPaid?.units ?? 0n) > 0n);

function progress(order: ExistingOrder, payment: ProcessorPayment, at: string): readonly OrderEvent[] {
  const mismatch = mismatchOf(order, payment);
  if (mismatch !== undefined) return hasMoney(payment) ? review(order, payment, mismatch, at) : [];
  return isPayable(order) ? onStatus[payment.status](order, payment, at) : [];
}

type OnStatus = (order: PayableOrder, payment: ProcessorPayment, at: string) => readonly OrderEvent[];

const nothing: OnStatus = () => [];

const confirming: OnStatus = (order, payment, at) => {
  const amountPaid = String(paidOf(order, payment) ?? order.amountPaid);
  if (order.status === 'confirming' && order.amountPaid === amountPaid) return [];
  const { paymentId } = payment;
  return [{ type: 'OrderConfirming', data: { ...orderFields(order, at), paymentId, amountPaid } }];
};

const partlyPaid: OnStatus = (order, payment, at) => {
  const amountPaid = String(paidOf(order, payment) ?? order.amountPaid);
  if (order.status === 'partially_paid' && order.amountPaid === amountPaid) return [];
  const { expiresAt, sweepAt } = order;
  const { paymentId } = payment;
  return [
    {
      type: 'OrderPartlyPaid',
      data: { ...orderFields(order, at), paymentId, amountPaid, expiresAt, sweepAt },
    },
  ];
};

/** Less than the requested amount can still be completed. Nothing more is on its way, so that a confirming order expires again. */
const finished: OnStatus = (order, payment, at) => {
  const asked = BigInt(order.payment.payAmount);
  const paid = paidOf(order, payment) ?? asked;
  if (paid < asked) return [...partlyPaid(order, payment, at), ...review(order, payment, 'amount', at)];
  const { tier, days } = order;
  return [{ type: 'OrderPaid', data: { ...summaryOf(order, at), amountPaid: String(paid), tier, days } }];
};

const failed: OnStatus = (order, payment, at) => [
  { type: 'OrderFailed', data: { ...endOf(order, at), reason: 'ipn' } },
  ...(hasMoney(payment) ? review(order, payment, 'partial', at) : []),
];

/** A confirming order was paid in time: it can still fail, but not expire. */
const expired: OnStatus = (order, payment, at) =>
  order.status === 'confirming'
    ? failed(order, payment, at)
    : [
        { type: 'OrderExpired', data: { ...endOf(order, at), reason: 'ipn', by: 'processor' } },
        ...(hasMoney(payment) ? review(order, payment, 'partial', at) : []),
      ];

const onStatus: Readonly<Record<ProcessorStatus, OnStatus>> = {
  waiting: nothing,
  confirming,
  confirmed: confirming,
  sending: confirming,
  partially_paid: partlyPaid,
  finished,
  failed,
  refunded: failed,
  expired,
  unknown: nothing,
};

function afterEnd(order: ExistingOrder, payment: ProcessorPayment, at: string): readonly OrderEvent[] {
  const mismatch = mismatchOf(order, payment);
  if (order.status !== 'paid' || mismatch !== undefined)
    return hasMoney(payment) ? review(order, payment, mismatch ?? 'late', at) : [];
  if (payment.status === 'failed' || payment.status === 'refunded')
    return review(order, payment, 'reversed', at);
  const paid = paidOf(order, payment) ?? 0n;
  return paid > BigInt(order.amountPaid) ? review(order, payment, 'extra', at) : [];
}

const paidOf = (
  { payment: { payExponent } }: PayableOrder,
  { actuallyPaid }: ProcessorPayment,
): bigint | null => (actuallyPaid === null ? null : unitsIn(actuallyPaid, payExponent));

/** At most one review per finding: a repeated answer of the processor adds nothing. */
export function review(
  order: ExistingOrder,
  payment: ProcessorPayment,
  reason: ReviewReason,
  at: string,
): readonly OrderEvent[] {
  const { paymentId, status: processorStatus, payCurrency, actuallyPaid } = payment;
  const own = order.payment?.payCurrency === payCurrency ? order.payment.payExponent : 0;
  const payExponent = Math.max(coinExponent(payCurrency), actuallyPaid?.exponent ?? 0, own);
  const amountPaid = actuallyPaid && String(unitsIn(actuallyPaid, payExponent));
  const isKept = order.reviews.some(
    (each) =>
      each.paymentId === paymentId &&
      each.payCurrency === payCurrency &&
      each.processorStatus === processorStatus &&
      each.amountPaid === amountPaid,
  );
  const facts = { paymentId, reason, processorStatus, payCurrency, amountPaid, payExponent };
  return isKept ? [] : [{ type: 'PaymentReviewRequested', data: { ...orderFields(order, at), ...facts } }];
}
