import { parseDecimal, type Decimal } from '../../contracts/decimal.ts';
import type { OrderEvent } from '../../contracts/events/order.ts';
import { toId } from '../../contracts/ids.ts';
import type { ProcessorPayment } from '../../contracts/processor-payment.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import { checksAfter } from './checks.ts';
import type { OrderCommand } from './order.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const orderId = toId('order', uuid(1));
export const accountId = toId('account', uuid(2));
export const at = '2026-01-05T12:00:00.000Z';
export const expiresAt = '2026-01-05T13:00:00.000Z';
export const sweepAt = '2026-01-06T12:00:00.000Z';

export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new Error(`${text} is no number.`);
  return value;
}

/** The processor's answer: by default a payment waiting for 0.001 of the order's currency. */
export const payment = (changes: Partial<ProcessorPayment> = {}): ProcessorPayment => ({
  paymentId: '5001',
  orderId,
  status: 'waiting',
  price: decimal('49'),
  priceCurrency: 'usd',
  payCurrency: 'btc',
  payAmount: decimal('0.001'),
  actuallyPaid: decimal('0'),
  payAddress: 'bc1q',
  payMemo: null,
  ...changes,
});

const of = { orderId, accountId, at };
const placed = {
  orderId,
  accountId,
  product: 'api_builder_month',
  priceCents: 4900,
  priceCurrency: 'usd',
  tier: 'api_builder',
  days: 30,
  payCurrency: 'btc',
  expiresAt,
  sweepAt,
} as const;
const { product, priceCents, priceCurrency, tier, days } = placed;
const summary = { ...of, product, priceCents, priceCurrency, paymentId: '5001' };

export const events = eventBuilders<OrderEvent>({
  OrderPlaced: { ...placed, at },
  OrderAbandoned: of,
  OrderWithdrawn: of,
  PaymentRequested: { ...of, attempt: 2, payCurrency: 'eth' },
  PaymentCreated: {
    ...{ ...of, attempt: 1, paymentId: '5001', payCurrency: 'btc' },
    ...{ payAmount: '100000', payExponent: 8, payAddress: 'bc1q', payMemo: null },
  },
  OrderPartlyPaid: { ...of, paymentId: '5001', amountPaid: '40000', expiresAt, sweepAt },
  OrderConfirming: { ...of, paymentId: '5001', amountPaid: '100000' },
  OrderPaid: { ...summary, amountPaid: '100000', tier, days },
  OrderFailed: { ...summary, reason: 'ipn', checksAt: checksAfter(at) },
  OrderExpired: { ...summary, reason: 'expired', by: 'window', checksAt: checksAfter(at) },
  OrderCancelled: { ...of, checksAt: checksAfter(at) },
  PaymentsChecked: { ...of, checksAt: [] },
  PaymentReviewRequested: {
    ...{ ...of, paymentId: '5001', reason: 'late', processorStatus: 'finished' },
    ...{ payCurrency: 'btc', amountPaid: '100000', payExponent: 8 },
  },
});

export const commands = commandBuilders<OrderCommand>({
  PlaceOrder: { ...placed, at },
  AbandonOrder: of,
  WithdrawOrder: { at },
  RequestPayment: { payCurrency: 'eth', at },
  RecordPayment: { attempt: 1, payment: payment(), at },
  ObservePayment: { payment: payment(), at },
  CancelOrder: { at },
  RecordCheck: { at },
  ExpireOrder: { by: 'window', at: expiresAt },
  ReviewErased: { at },
});
