import { idSchema, type OrderId } from '../ids.ts';
import { paymentUri } from '../crypto-currencies.ts';
import { Type, Timestamp, Units, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { orderFailures } from '../webhooks/event-types.ts';
import { textForms } from '../text-forms.ts';

const PayCurrency = Type.String({ pattern: textForms.payCurrency.pattern });

export const PlaceOrder = requestBody({
  /** One of the sold products. */
  product: Type.String({ minLength: 1, maxLength: 100 }),
  /** The processor's name: `btc`, `eth`, `usdttrc20`. */
  pay_currency: PayCurrency,
});
export type PlaceOrder = Static<typeof PlaceOrder>;

export const ChangeOrder = requestBody({ pay_currency: PayCurrency });

const price = {
  product: Type.String(),
  price_cents: Type.Integer(),
  price_currency: Type.String(),
  pay_currency: Type.String(),
  pay_amount: Units,
  /** `pay_amount` is in units of 10^-`pay_exponent`. */
  pay_exponent: Type.Integer(),
  quote_expires_at: Timestamp,
};
export const Quote = closed(price);
export type Quote = Static<typeof Quote>;

export const orderStatuses = [
  'pending',
  'partially_paid',
  'confirming',
  'paid',
  'expired',
  'cancelled',
  'failed',
] as const;

export const CryptoOrder = closed({
  id: idSchema('order'),
  status: oneOf(orderStatuses),
  ...price,
  pay_address: Type.String(),
  /** A tag or memo required in the payment; null: none. */
  pay_memo: nullable(Type.String()),
  /** URI for wallets: the address with the amount, in the currency's smallest unit and rounded up, if the currency has such a form. */
  payment_uri: Type.String(),
  /** The same as a QR code. */
  qr_svg: Type.String(),
  amount_paid: Units,
  /** Only while partly paid. */
  amount_missing: Type.Optional(Units),
  payment_id: Type.String(),
  expires_at: Timestamp,
  paid_at: nullable(Timestamp),
  failed_at: nullable(Timestamp),
  failure_reason: nullable(oneOf(orderFailures)),
  created_at: Timestamp,
});
export type CryptoOrder = Static<typeof CryptoOrder>;

/** Presents an order from its state. */
export interface StoredOrder {
  readonly orderId: OrderId;
  readonly status: CryptoOrder['status'];
  readonly product: string;
  readonly priceCents: number;
  readonly priceCurrency: string;
  readonly payment: {
    readonly paymentId: string;
    readonly payCurrency: string;
    readonly payAmount: string;
    readonly payExponent: number;
    readonly payAddress: string;
    readonly payMemo: string | null;
  };
  readonly amountPaid: string;
  readonly expiresAt: string;
  readonly paidAt: string | null;
  readonly failedAt: string | null;
  readonly failureReason: CryptoOrder['failure_reason'];
  readonly createdAt: string;
}

/** `drawQr` renders a text as SVG. */
export function presentOrder(order: StoredOrder, drawQr: (text: string) => string): CryptoOrder {
  const { status, payment, amountPaid } = order;
  const missing = BigInt(payment.payAmount) - BigInt(amountPaid);
  const isPartlyPaid = status === 'partially_paid' && missing > 0n;
  const uri = paymentUri(payment.payCurrency, {
    address: payment.payAddress,
    units: isPartlyPaid ? missing : BigInt(payment.payAmount),
    exponent: payment.payExponent,
  });
  return {
    ...{ id: order.orderId, status, product: order.product },
    ...{ price_cents: order.priceCents, price_currency: order.priceCurrency },
    ...{ pay_currency: payment.payCurrency, pay_amount: payment.payAmount },
    ...{ pay_exponent: payment.payExponent, pay_address: payment.payAddress, pay_memo: payment.payMemo },
    ...{ payment_uri: uri, qr_svg: drawQr(uri), amount_paid: amountPaid },
    ...(isPartlyPaid && { amount_missing: String(missing) }),
    payment_id: payment.paymentId,
    // The quoted amount is valid while the order can be paid.
    ...{ quote_expires_at: order.expiresAt, expires_at: order.expiresAt },
    ...{ paid_at: order.paidAt, failed_at: order.failedAt, failure_reason: order.failureReason },
    created_at: order.createdAt,
  };
}
