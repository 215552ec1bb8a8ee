import { Type, Timestamp, Units, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema, type OrderId } from '../ids.ts';
import { processorStatuses } from '../processor-payment.ts';
import { tiers } from '../tiers.ts';
import { orderFailures } from '../webhooks/event-types.ts';
import {
  category,
  entryOn,
  timersOn,
  type AuditedAction,
  type EventOf,
  type TimerChange,
} from './catalogue.ts';

const of = { orderId: idSchema('order'), accountId: idSchema('account'), at: Timestamp };
const paymentId = Type.String();
const attempt = Type.Integer({ minimum: 1 });
const ends = { expiresAt: Timestamp, sweepAt: Timestamp };
/** When the processor is asked again about the payments of an ended order, the earliest first. */
const Checks = Type.Array(Timestamp);
/** Absent in events of earlier releases: it is not asked again. */
const checksAt = Type.Optional(Checks);
/** Fields of ended orders. */
const Summary = closed({
  product: Type.String(),
  priceCents: Type.Integer({ minimum: 1 }),
  priceCurrency: Type.String(),
  paymentId,
});
const ofEnd = { ...of, ...Summary.properties };

/** Why a person has to review received money. */
export const reviewReasons = [
  /** Received after the order had ended. */
  'late',
  /** The processor reports `finished`, but the amount is too low. */
  'amount',
  'price',
  'currency',
  /** The money came to a payment that was requested before the last one. */
  'other_payment',
  /** The order ended partly paid. */
  'partial',
  /** More was received after the order was paid. */
  'extra',
  /** The processor reversed the status of a paid order. */
  'reversed',
  /** The paying account has been erased. */
  'account_erased',
] as const;

interface Checked {
  readonly orderId: OrderId;
  readonly checksAt?: readonly string[];
}

const entry = entryOn('order');
const bySystem = (action: AuditedAction): AuditedAction => ({ ...action, bySystem: true });
const timersOfOpen = ['order_window', 'order_sweep'] as const;
const over = timersOn('orderId').ends(...timersOfOpen);
const ended = ({ orderId, checksAt: checks = [] }: Checked): TimerChange => ({
  subject: orderId,
  starts: { order_check: checks[0] ?? null },
  ends: timersOfOpen,
});
const checked = ({ orderId, checksAt: [next] }: Required<Checked>): TimerChange =>
  next === undefined
    ? { subject: orderId, ends: ['order_check'] }
    : { subject: orderId, starts: { order_check: next } };
const running = (data: { orderId: string; expiresAt: string; sweepAt: string }): TimerChange => ({
  subject: data.orderId,
  starts: { order_window: data.expiresAt, order_sweep: data.sweepAt },
});

type Ended = Static<typeof Summary> & { readonly orderId: OrderId };
const summaryOf = ({ orderId, product, priceCents, priceCurrency, paymentId: payment }: Ended) => ({
  order_id: orderId,
  product,
  price_cents: priceCents,
  price_currency: priceCurrency,
  payment_id: payment,
});
const failed = (data: Ended & { readonly reason: (typeof orderFailures)[number]; readonly at: string }) => ({
  type: 'crypto.order.failed' as const,
  created_at: data.at,
  data: { ...summaryOf(data), failed_at: data.at, reason: data.reason },
});

/** `order-<uuid>`: an order to be paid with crypto, and its outcome. */
export const orderEvents = category(
  'order',
  {
    /** From now on a payment in this currency, the first attempt, may be requested from the processor. */
    OrderPlaced: closed({
      ...of,
      product: Type.String(),
      priceCents: Type.Integer({ minimum: 1 }),
      priceCurrency: Type.String(),
      tier: oneOf(tiers),
      days: Type.Integer({ minimum: 1 }),
      payCurrency: Type.String(),
      ...ends,
    }),
    /** Not placed in time, and never can be. */
    OrderAbandoned: closed(of),
    /** No payment was created, so no request was shown to the customer. */
    OrderWithdrawn: closed(of),
    /** A payment in another currency may be requested from the processor, and replaces the previous one. */
    PaymentRequested: closed({ ...of, attempt, payCurrency: Type.String() }),
    /** The payment request shown to the customer. */
    PaymentCreated: closed({
      ...of,
      attempt,
      paymentId,
      payCurrency: Type.String(),
      payAmount: Units,
      payExponent: Type.Integer({ minimum: 0 }),
      payAddress: Type.String(),
      payMemo: nullable(Type.String()),
    }),
    /** Less than the requested amount was received. */
    OrderPartlyPaid: closed({ ...of, paymentId, amountPaid: Units, ...ends }),
    /** Money was seen, and is not confirmed yet. */
    OrderConfirming: closed({ ...of, paymentId, amountPaid: Units }),
    OrderPaid: closed({
      ...ofEnd,
      amountPaid: Units,
      tier: oneOf(tiers),
      days: Type.Integer({ minimum: 1 }),
    }),
    OrderFailed: closed({ ...ofEnd, reason: Type.Literal('ipn'), checksAt }),
    OrderExpired: closed({
      ...ofEnd,
      reason: oneOf(orderFailures),
      by: oneOf(['window', 'sweep', 'operator', 'processor']),
      checksAt,
    }),
    OrderCancelled: closed({ ...of, checksAt }),
    /** The processor was asked again about the payments of an ended order. `checksAt`: the checks that are left. */
    PaymentsChecked: closed({ ...of, checksAt: Checks }),
    /** Money that pays nothing automatically: a person decides about it. */
    PaymentReviewRequested: closed({
      ...of,
      paymentId,
      reason: oneOf(reviewReasons),
      processorStatus: oneOf(processorStatuses),
      payCurrency: Type.String(),
      /** Null: not reported by the processor. */
      amountPaid: nullable(Units),
      payExponent: Type.Integer({ minimum: 0 }),
    }),
  },
  {
    personal: { PaymentCreated: { payAddress: '', payMemo: null } },
    audit: {
      OrderPlaced: ({ orderId: id, product, priceCents, payCurrency }) =>
        entry('billing.order_placed', id, { product, price_cents: priceCents, pay_currency: payCurrency }),
      PaymentRequested: ({ orderId: id, payCurrency }) =>
        entry('billing.order_changed', id, { pay_currency: payCurrency }),
      OrderPaid: (data) =>
        bySystem(entry('billing.order_paid', data.orderId, { payment_id: data.paymentId, tier: data.tier })),
      OrderFailed: ({ orderId: id, reason }) => bySystem(entry('billing.order_failed', id, { reason })),
      OrderExpired: ({ orderId: id, reason, by }) => {
        const action = entry('billing.order_expired', id, { reason });
        return by === 'operator' ? action : bySystem(action);
      },
      OrderCancelled: ({ orderId: id }) => entry('billing.order_cancelled', id),
      PaymentReviewRequested: ({ orderId: id, paymentId: payment, reason }) =>
        bySystem(entry('billing.order_review_requested', id, { payment_id: payment, reason })),
    },
    announced: {
      OrderPaid: (data) => ({
        type: 'crypto.order.paid',
        created_at: data.at,
        data: { ...summaryOf(data), paid_at: data.at },
      }),
      OrderFailed: failed,
      OrderExpired: failed,
    },
    timers: {
      OrderPlaced: running,
      OrderPartlyPaid: running,
      OrderConfirming: over,
      OrderWithdrawn: over,
      OrderPaid: over,
      OrderFailed: ended,
      OrderExpired: ended,
      OrderCancelled: ended,
      PaymentsChecked: checked,
    },
  },
);
export type OrderEvent = EventOf<typeof orderEvents>;
export type ReviewReason = (typeof reviewReasons)[number];
