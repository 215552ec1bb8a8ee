import { Timestamp, Type, closed, nullable, type Static } from '../schema.ts';

const size = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });
const hash = (description: string) => Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description });
const proof = Type.Array(hash('Base64 of 32 bytes.'), { description: 'In the order of RFC 6962.' });

export const ProofQuery = { size: Type.Optional(size) };
export const ConsistencyQuery = { from: size, to: Type.Optional(size) };

/** The signed head of an account's log. */
export const AuditCheckpoint = closed({
  checkpoint: Type.String({
    description:
      'A signed note (c2sp.org/tlog-checkpoint). Its origin ends with the pseudonym of the account.',
  }),
  size: Type.Integer({ minimum: 0, description: 'Number of entries in the log.' }),
  root: hash('The root of the tree.'),
  at: Timestamp,
});
export type AuditCheckpoint = Static<typeof AuditCheckpoint>;

/** Present and earlier signing keys of heads of audit logs. */
export const AuditKeys = closed({
  keys: Type.Array(
    closed({
      vkey: Type.String({ description: 'A verifier key (c2sp.org/signed-note).' }),
      from: Timestamp,
      until: nullable(Timestamp),
      introduction: nullable(
        Type.String({
          description: 'A note signed with the previous key: two lines, the name of this key and its `vkey`.',
        }),
      ),
    }),
    { description: 'Oldest first; the key without `until` is in use.' },
  ),
});
export type AuditKeys = Static<typeof AuditKeys>;

/** Proof that an entry is in the tree of the account's log. */
export const InclusionProof = closed({
  sequence: Type.Integer({ minimum: 1 }),
  leaf_index: Type.Integer({ minimum: 0, description: 'The sequence minus one.' }),
  leaf_hash: hash('The leaf hash (RFC 6962) of the 32 bytes of the entry’s `hash`.'),
  size: Type.Integer({ minimum: 1, description: 'Number of entries in the tree.' }),
  root: hash('The root of the tree.'),
  proof,
});
export type InclusionProof = Static<typeof InclusionProof>;

/** Proof that the tree of one size begins with that of another. */
export const ConsistencyProof = closed({
  from: Type.Integer({ minimum: 1 }),
  to: Type.Integer({ minimum: 1 }),
  from_root: hash('The root of the smaller tree.'),
  to_root: hash('The root of the larger tree.'),
  proof,
});
export type ConsistencyProof = Static<typeof ConsistencyProof>;

/** The account's head in the public tree, with its inclusion proof. */
export const Anchor = closed({
  leaf_index: Type.Integer({ minimum: 0, description: 'Index in the public tree, from 0.' }),
  leaf: closed({
    pseudonym: Type.String({
      description: 'Base64url of HMAC-SHA256 over the account’s id, keyed by `salt`.',
    }),
    size: Type.Integer({ minimum: 1, description: 'Number of entries in the audit log.' }),
    root: hash('The root of its tree.'),
  }),
  salt: hash('Base64 of 32 bytes. Anyone who has it can tell which pseudonym is the account’s.'),
  size: Type.Integer({ minimum: 1, description: 'Number of leaves in the public tree.' }),
  root: hash('The root of the public tree.'),
  proof,
  checkpoint: Type.String({ description: 'The public checkpoint of that size: a signed note.' }),
});
export type Anchor = Static<typeof Anchor>;
