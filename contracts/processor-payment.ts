import type { Decimal } from './decimal.ts';

/** The processor's status of a payment; `unknown`: a status that is not in this list. */
export const processorStatuses = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
  'failed',
  'refunded',
  'expired',
  'unknown',
] as const;
export type ProcessorStatus = (typeof processorStatuses)[number];

export const processorStatusOf = (text: string): ProcessorStatus =>
  processorStatuses.find((each) => each === text) ?? 'unknown';

/** A payment, as the processor reports it. */
export interface ProcessorPayment {
  readonly paymentId: string;
  /** The order id given by the payment's creator; null: none. */
  readonly orderId: string | null;
  readonly status: ProcessorStatus;
  readonly price: Decimal;
  /** Lower case, as `payCurrency`. */
  readonly priceCurrency: string;
  readonly payCurrency: string;
  readonly payAmount: Decimal;
  /** Null: not reported by the processor. */
  readonly actuallyPaid: Decimal | null;
  readonly payAddress: string;
  /** A tag or memo that identifies a payment to a shared address; null: none. */
  readonly payMemo: string | null;
}
