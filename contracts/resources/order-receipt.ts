import { decimalText } from '../decimal.ts';
import { idSchema, uuidOf, type AccountId } from '../ids.ts';
import { Type, Timestamp, Units, closed, oneOf, type Static } from '../schema.ts';
import { tiers, type Tier } from '../tiers.ts';
import type { StoredOrder } from './order.ts';

export const OrderReceipt = closed({
  receipt_number: Type.String(),
  order_id: idSchema('order'),
  account_id: idSchema('account'),
  product: Type.String(),
  tier: oneOf(tiers),
  days: Type.Integer(),
  price_cents: Type.Integer(),
  price_currency: Type.String(),
  pay_currency: Type.String(),
  pay_amount: Units,
  pay_exponent: Type.Integer(),
  amount_paid: Units,
  payment_id: Type.String(),
  ordered_at: Timestamp,
  paid_at: Timestamp,
});
export type OrderReceipt = Static<typeof OrderReceipt>;

/** The state of an order, with the fields that only its receipt shows. */
export interface SettledOrder extends StoredOrder {
  readonly accountId: AccountId;
  readonly tier: Tier;
  readonly days: number;
}

/** The receipt of a paid order; undefined while it is unpaid. Derived from the order's events alone. */
export function receiptOf(order: SettledOrder): OrderReceipt | undefined {
  const { payment, paidAt } = order;
  if (order.status !== 'paid' || paidAt === null) return undefined;
  return {
    receipt_number: `C-${paidAt.slice(0, 10).replaceAll('-', '')}-${uuidOf(order.orderId).slice(-12).toUpperCase()}`,
    ...{ order_id: order.orderId, account_id: order.accountId },
    ...{ product: order.product, tier: order.tier, days: order.days },
    ...{ price_cents: order.priceCents, price_currency: order.priceCurrency },
    ...{ pay_currency: payment.payCurrency, pay_amount: payment.payAmount },
    ...{ pay_exponent: payment.payExponent, amount_paid: order.amountPaid },
    ...{ payment_id: payment.paymentId, ordered_at: order.createdAt, paid_at: paidAt },
  };
}

/** The lines of a receipt, each a name and a value. */
export function receiptLines(receipt: OrderReceipt): readonly (readonly [string, string])[] {
  const { pay_currency, pay_exponent, price_cents, price_currency, days } = receipt;
  const paidWith = (units: string) => `${decimalText(units, pay_exponent)} ${pay_currency.toUpperCase()}`;
  const cents = String(price_cents).padStart(3, '0');
  return [
    ['Receipt', receipt.receipt_number],
    ['Order', receipt.order_id],
    ['Account', receipt.account_id],
    ['Product', receipt.product],
    ['Tier', `${receipt.tier}, ${days} ${days === 1 ? 'day' : 'days'}`],
    ['Price', `${cents.slice(0, -2)}.${cents.slice(-2)} ${price_currency.toUpperCase()}`],
    ['Amount due', paidWith(receipt.pay_amount)],
    ['Amount paid', paidWith(receipt.amount_paid)],
    ['Payment', receipt.payment_id],
    ['Ordered', receipt.ordered_at],
    ['Paid', receipt.paid_at],
  ];
}

/** The receipt as plain text. */
export const receiptText = (receipt: OrderReceipt): string =>
  receiptLines(receipt)
    .map(([name, fact]) => `${name.padEnd(13)}${fact}\n`)
    .join('');
