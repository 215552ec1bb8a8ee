import { receiptEvents, type ReceiptEvent } from '../contracts/events/receipt.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

interface Admission {
  /** Digest of the canonical body. */
  readonly digest: string;
  /** The resource that the first request creates. */
  readonly resourceId: string;
  readonly admittedAt: string;
  readonly expiresAt: string;
}

/** The first answer, byte for byte. */
export type KeptAnswer = Omit<DataOf<ReceiptEvent, 'ReceiptSettled'>, 'at'>;

/** The state of an `Idempotency-Key`. `free`: no request has it. `admitted`: its request has no outcome yet. */
export type Receipt =
  | { readonly status: 'free' }
  | ({ readonly status: 'admitted' } & Admission)
  | ({ readonly status: 'settled'; readonly answer: KeptAnswer } & Admission);

const freeReceipt: Receipt = { status: 'free' };

/** True while the key belongs to a request. From the instant it expires it is free again. */
export const isKept = (
  receipt: Receipt,
  now: string,
): receipt is Extract<Receipt, { status: 'admitted' | 'settled' }> =>
  receipt.status !== 'free' && isBefore(now, receipt.expiresAt);

export type ReceiptCommand = CommandsOf<{
  AdmitReceipt: DataOf<ReceiptEvent, 'ReceiptAdmitted'> & {
    /** Other digests of the same body: under retired peppers, of earlier releases. */
    otherDigests: readonly string[];
  };
  /** Stores the answer if this resource's receipt is the admitted one. */
  SettleReceipt: { resourceId: string; answer: KeptAnswer };
  AbandonReceipt: { resourceId: string };
}>;

const rules: Rules<Receipt, ReceiptCommand, ReceiptEvent> = {
  /** Admitting the same request again does nothing; the state has its progress. */
  AdmitReceipt(state, { type: _, otherDigests, ...data }) {
    if (!isKept(state, data.at)) return [{ type: 'ReceiptAdmitted', data }];
    if ([data.digest, ...otherDigests].includes(state.digest)) return [];
    throw refuse('conflict', 'The idempotency key was used with a different body.');
  },
  SettleReceipt: (state, { resourceId, answer, at }) =>
    holds(state, resourceId) ? [{ type: 'ReceiptSettled', data: { ...answer, at } }] : [],
  AbandonReceipt: (state, { resourceId, at }) =>
    holds(state, resourceId) ? [{ type: 'ReceiptAbandoned', data: { at } }] : [],
};

const holds = (state: Receipt, resourceId: string): boolean =>
  state.status === 'admitted' && state.resourceId === resourceId;

/**
 * - The first append to the stream admits the request, so that of two concurrent requests one is admitted and the other
 *   finds its receipt.
 * - The same key with another body is refused until the receipt expires or is abandoned.
 * - Only the request that was admitted, known by its resource's id, settles or abandons the receipt.
 */
export const receipt: Decider<Receipt, ReceiptCommand, ReceiptEvent> = {
  category: receiptEvents,
  initialState: freeReceipt,
  decide: decideBy(rules),
  evolve(state, { type, data }) {
    switch (type) {
      case 'ReceiptAdmitted': {
        const { digest, resourceId, expiresAt, at } = data;
        return { status: 'admitted', digest, resourceId, expiresAt, admittedAt: at };
      }
      case 'ReceiptSettled': {
        if (state.status !== 'admitted') return state;
        const { at: _, ...answer } = data;
        return { ...state, status: 'settled', answer };
      }
      case 'ReceiptAbandoned':
        return freeReceipt;
    }
  },
};
