import { receiptEvents, type ReceiptEvent } from '../../contracts/events/receipt.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';
import { freeReceipt, isKept, type Receipt, type StoredAnswer } from './state.ts';

type DataOf<Type extends ReceiptEvent['type']> = Extract<ReceiptEvent, { type: Type }>['data'];

/** `at` is the time of deciding, ISO 8601. */
export type ReceiptCommand = AdmitReceipt | SettleReceipt | AbandonReceipt;

export interface AdmitReceipt extends Readonly<DataOf<'ReceiptAdmitted'>> {
  readonly type: 'AdmitReceipt';
}

/** Settles what was admitted for this resource, and nothing else. */
export interface SettleReceipt {
  readonly type: 'SettleReceipt';
  readonly resourceId: string;
  readonly answer: StoredAnswer;
  readonly at: string;
}

export interface AbandonReceipt {
  readonly type: 'AbandonReceipt';
  readonly resourceId: string;
  readonly at: string;
}

type Decision = readonly ReceiptEvent[];

/**
 * What an `Idempotency-Key` stands for: the first request with it, and the answer that request got. The stream's first
 * append is the admission, so of two requests at once one is admitted and the other finds its receipt.
 */
export const receipt: Decider<Receipt, ReceiptCommand, ReceiptEvent> = {
  category: receiptEvents,
  initialState: freeReceipt,
  decide(command, state) {
    switch (command.type) {
      case 'AdmitReceipt':
        return admit(state, command);
      case 'SettleReceipt':
        return settle(state, command);
      case 'AbandonReceipt':
        return holds(state, command.resourceId)
          ? [{ type: 'ReceiptAbandoned', data: { at: command.at } }]
          : [];
    }
  },
  evolve(state, { type, data }) {
    switch (type) {
      case 'ReceiptAdmitted': {
        const { bodyHash, resourceId, expiresAt, at } = data;
        return { status: 'admitted', bodyHash, resourceId, expiresAt, admittedAt: at };
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

/** Nothing to decide when the same request was admitted before: the state then says how far that one is. */
function admit(state: Receipt, { type: _, ...data }: AdmitReceipt): Decision {
  if (!isKept(state, data.at)) return [{ type: 'ReceiptAdmitted', data }];
  if (state.bodyHash !== data.bodyHash)
    throw refuse('conflict', 'The idempotency key was used with a different body.');
  return [];
}

function settle(state: Receipt, { resourceId, answer, at }: SettleReceipt): Decision {
  return holds(state, resourceId) ? [{ type: 'ReceiptSettled', data: { ...answer, at } }] : [];
}

const holds = (state: Receipt, resourceId: string): boolean =>
  state.status === 'admitted' && state.resourceId === resourceId;

export { isKept, type Receipt, type StoredAnswer } from './state.ts';
