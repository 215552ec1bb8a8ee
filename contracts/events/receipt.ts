import { Type, Timestamp, closed } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

/** `receipt-<uuid of account, route and key>`: what an `Idempotency-Key` stands for, and the answer it got. */
export const receiptEvents = category('receipt', {
  ReceiptAdmitted: closed({
    accountId: idSchema('account'),
    route: Type.String(),
    /** SHA-256 of the canonical body, hex. */
    bodyHash: Type.String(),
    /** The resource that the request creates. Fixed at admission, so that a retry can look it up. */
    resourceId: Type.String(),
    expiresAt: Timestamp,
    at: Timestamp,
  }),
  ReceiptSettled: closed({
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    contentType: Type.String(),
    /** The stored body, byte for byte. */
    body: Type.String(),
    at: Timestamp,
  }),
  /** The request was refused for a reason that is not stored (validation, credential, rate): the key is free again. */
  ReceiptAbandoned: closed({ at: Timestamp }),
});
export type ReceiptEvent = EventOf<typeof receiptEvents>;
