import type { Decimal } from '../../contracts/decimal.ts';
import type { OrderId } from '../../contracts/ids.ts';
import type { ProcessorPayment } from '../../contracts/processor-payment.ts';

/** The processor gave no valid answer: whether a payment was created is unknown. */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';
}

/** The processor refused, such as an unknown currency: nothing was created. */
export class PaymentsRefused extends Error {
  override readonly name = 'PaymentsRefused';
}

export interface PaymentOrder {
  readonly orderId: OrderId;
  /** Distinguishes payments of an order, and identifies a repeated request. */
  readonly attempt: number;
  /** US cents. */
  readonly priceCents: number;
  readonly payCurrency: string;
}

/** A processor of crypto payments. Every method may reject with `PaymentsUnavailable`. */
export interface CryptoPayments {
  /** The approximate amount of a price in US cents. May reject with `PaymentsRefused`. */
  estimate(priceCents: number, payCurrency: string): Promise<Decimal>;
  /** May reject with `PaymentsRefused`. */
  create(order: PaymentOrder): Promise<ProcessorPayment>;
  /** Undefined if there is no such payment. */
  find(paymentId: string): Promise<ProcessorPayment | undefined>;
  /** The payments of an order; empty if the processor has no such list. */
  ofOrder(orderId: OrderId): Promise<readonly ProcessorPayment[]>;
}

/** Timeout of one request to the processor, in milliseconds. */
export const paymentsTimeoutMs = 5000;
