import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { tiers } from '../tiers.ts';
import { Membership } from './team.ts';

export const Account = closed({
  id: idSchema('account'),
  email: Type.String(),
  tier: oneOf(tiers),
  teams: Type.Array(Membership, {
    description: 'The newest hundred memberships. `GET /v1/team/owners` lists them all.',
  }),
  mfa_enrolled: Type.Boolean(),
  suspended: nullable(
    closed({ at: Timestamp, reason: Type.String({ description: 'Written by the operator.' }) }),
  ),
  created_at: Timestamp,
});
export type Account = Static<typeof Account>;

const sha256 = '^[0-9a-f]{64}$';

/** One acknowledged change. `hash` covers every other field and `prev_hash`, so that changed or missing entries are detected. */
export const AuditEntry = closed({
  id: idSchema('auditEntry'),
  sequence: Type.Integer({ minimum: 1 }),
  action: Type.String(),
  account_id: idSchema('account'),
  actor_account_id: Type.Optional(Type.String()),
  actor_key_id: Type.Optional(Type.String()),
  actor_type: oneOf(['user', 'api_key', 'system', 'staff']),
  target: closed({ type: Type.String(), id: Type.String() }),
  payload: Type.Record(Type.String(), Type.Unknown()),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  request_id: nullable(Type.String()),
  created_at: Timestamp,
  prev_hash: Type.String({
    pattern: sha256,
    description: 'The `hash` of the previous entry by `sequence`; 64 zeros for the first.',
  }),
  hash: Type.String({
    pattern: sha256,
    description:
      'SHA-256, as 64 lower-case hex digits, of this entry without `hash`: its JSON in UTF-8, canonical by RFC 8785 ' +
      '(the keys of every object sorted, no white space). Fields that are absent are left out, and `null` is kept. ' +
      'The JSON lines of the export can be checked as they are.',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Current names of the targets of a page of entries, by id. Not covered by a hash: entries contain no texts of customers. */
export const TargetNames = Type.Record(Type.String(), Type.String());

export const AuditFilter = {
  action: Type.Optional(Type.String({ maxLength: 100 })),
  actor: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The id of an account, for what its owner or its API keys did, and for attempts to sign in to it; the id of an API key; or an `actor_type`.',
    }),
  ),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
};
export const AuditExportQuery = {
  format: Type.Optional(oneOf(['csv', 'jsonl'], { default: 'csv' })),
  ...AuditFilter,
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 10_000 })),
};
