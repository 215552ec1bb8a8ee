import type { Decimal } from '../../contracts/decimal.ts';
import type { OrderId } from '../../contracts/ids.ts';
import type { ProcessorPayment } from '../../contracts/processor-payment.ts';

/** The processor did not answer, or not what it should: whether a payment was made is not known. */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';
}

/** The processor will not do what was asked, such as take a currency that it does not know: nothing was made. */
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

/** A processor of crypto payments. Everything may fail with `PaymentsUnavailable`. */
export interface CryptoPayments {
  /** Roughly what a price in US cents comes to. May fail with `PaymentsRefused`. */
  estimate(priceCents: number, payCurrency: string): Promise<Decimal>;
  /** May fail with `PaymentsRefused`. */
  create(order: PaymentOrder): Promise<ProcessorPayment>;
  /** Undefined: there is no such payment. */
  find(paymentId: string): Promise<ProcessorPayment | undefined>;
  /** The payments of an order; none where the processor has no such list. */
  ofOrder(orderId: OrderId): Promise<readonly ProcessorPayment[]>;
}

/** How long one request to the processor may take, milliseconds. */
export const paymentsTimeoutMs = 5000;
