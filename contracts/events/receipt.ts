import { Type, Timestamp, closed } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

/** `receipt-<uuid of account, route and key>`: the request of an `Idempotency-Key`, and its answer. */
export const receiptEvents = category(
  'receipt',
  {
    ReceiptAdmitted: closed({
      accountId: idSchema('account'),
      route: Type.String(),
      /** Digest of the canonical body, after the name of its algorithm; keyed, so that bodies cannot be guessed. */
      digest: Type.String(),
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
      /** Sealed with the account's data key. Answers of version 1 are in clear. */
      sealed: Type.Boolean(),
      at: Timestamp,
    }),
    /** The request was refused for a reason that is not stored (validation, credential, rate): the key is free again. */
    ReceiptAbandoned: closed({ at: Timestamp }),
  },
  { versions: { ReceiptAdmitted: 2, ReceiptSettled: 2 } },
);

/** The sealed field of the answer that created a resource. */
export const answerField = (resourceId: string): string => `answer ${resourceId}`;

/** The unkeyed digest of a receipt of version 1. */
export const unkeyed = (bodyHash: string): string => `sha256.${bodyHash}`;
export type ReceiptEvent = EventOf<typeof receiptEvents>;
