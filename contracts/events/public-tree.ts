import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/** 32 bytes in base64. */
const hash = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' });
const size = Type.Integer({ minimum: 1 });

/** `public_tree-<uuid>`, one stream: the Merkle tree whose leaves are heads of accounts' audit logs. */
export const publicTreeEvents = category('public_tree', {
  /** The next leaves, ordered by pseudonym. */
  HeadsAnchored: closed({
    /** Index of the first leaf, from 0. */
    first: Type.Integer({ minimum: 0 }),
    leaves: Type.Array(
      closed({
        accountId: idSchema('account'),
        pseudonym: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
        /** Number of entries in the account's audit log. */
        size,
        /** Root of the account's tree. */
        root: hash,
      }),
      { minItems: 1 },
    ),
    at: Timestamp,
  }),
  /** The public checkpoint, a signed note. An origin has at most one per size. */
  PublicHeadSigned: closed({
    /** The first line of the note. */
    origin: Type.String(),
    size,
    root: hash,
    note: Type.String(),
    at: Timestamp,
  }),
});
export type PublicTreeEvent = EventOf<typeof publicTreeEvents>;
