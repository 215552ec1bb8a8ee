import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/** `audit_head-<account uuid>`: the heads of an account's audit log that the service has signed. */
export const auditHeadEvents = category('audit_head', {
  AuditHeadSigned: closed({
    accountId: idSchema('account'),
    /** Which of the logs that operators have begun; empty for the first one. */
    log: Type.String(),
    /** Entries. */
    size: Type.Integer({ minimum: 0 }),
    /** Of the Merkle tree, base64. */
    root: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    /** The signed note. */
    note: Type.String(),
    at: Timestamp,
  }),
});
export type AuditHeadEvent = EventOf<typeof auditHeadEvents>;
