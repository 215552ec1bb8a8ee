import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/** `audit_head-<account uuid>`: the signed heads of an account's audit log. */
export const auditHeadEvents = category('audit_head', {
  AuditHeadSigned: closed({
    accountId: idSchema('account'),
    /** Name of the log, for operators who started a new one; empty for the first. */
    log: Type.String(),
    /** Number of entries. */
    size: Type.Integer({ minimum: 0 }),
    /** Root of the Merkle tree, base64. */
    root: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    /** The signed note. */
    note: Type.String(),
    at: Timestamp,
  }),
});
export type AuditHeadEvent = EventOf<typeof auditHeadEvents>;
