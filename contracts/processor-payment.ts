import type { Decimal } from './decimal.ts';

/** What the processor says of a payment; `unknown`: a word that we do not know. */
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

/** A payment as the processor has it when it is asked. */
export interface ProcessorPayment {
  readonly paymentId: string;
  /** What whoever made it called their order; null: nothing. */
  readonly orderId: string | null;
  readonly status: ProcessorStatus;
  readonly price: Decimal;
  /** Lower case, as `payCurrency`. */
  readonly priceCurrency: string;
  readonly payCurrency: string;
  readonly payAmount: Decimal;
  /** Null: the processor does not say. */
  readonly actuallyPaid: Decimal | null;
  readonly payAddress: string;
  /** A tag or memo without which a payment to a shared address cannot be told from others; null: none. */
  readonly payMemo: string | null;
}
