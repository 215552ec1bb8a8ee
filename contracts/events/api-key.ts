import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

export const scopes = ['read', 'write', 'read:sessions', 'write:sessions', 'account_owner'] as const;
export type Scope = (typeof scopes)[number];

const apiKeyId = idSchema('apiKey');
const auditTarget = (id: string) => ({ type: 'api_key', id });

/** What is kept of a key: enough to check and to show it, never the key. */
export const KeyRecord = closed({
  apiKeyId,
  accountId: idSchema('account'),
  name: Type.String(),
  scopes: Type.Array(oneOf(scopes)),
  prefix: Type.String(),
  last4: Type.String(),
  /** HMAC-SHA-256 of the whole key under the deployment's pepper, hex. */
  hash: Type.String(),
  expiresAt: nullable(Timestamp),
});

/** `api_key-<uuid>`: one key from issue to its end. A rotation carries its successor, so a crash cannot lose it. */
export const apiKeyEvents = category(
  'api_key',
  {
    ApiKeyCreated: closed({ ...KeyRecord.properties, rotatedFrom: nullable(apiKeyId), at: Timestamp }),
    ApiKeyRotated: closed({ apiKeyId, successor: KeyRecord, graceEndsAt: Timestamp, at: Timestamp }),
    ApiKeyRevoked: closed({
      apiKeyId,
      accountId: idSchema('account'),
      name: Type.String(),
      by: oneOf(['owner', 'staff']),
      at: Timestamp,
    }),
  },
  {
    audit: {
      ApiKeyCreated: (data) =>
        data.rotatedFrom === null
          ? {
              action: 'api_key.created',
              target: auditTarget(data.apiKeyId),
              payload: { name: data.name, scopes: data.scopes, expires_at: data.expiresAt },
            }
          : null,
      ApiKeyRotated: (data) => ({
        action: 'api_key.rotated',
        target: auditTarget(data.apiKeyId),
        payload: {
          name: data.successor.name,
          successor: data.successor.apiKeyId,
          grace_ends_at: data.graceEndsAt,
        },
      }),
      ApiKeyRevoked: (data) => ({
        action: 'api_key.revoked',
        target: auditTarget(data.apiKeyId),
        payload: { name: data.name, by: data.by },
      }),
    },
    announced: {
      ApiKeyRevoked: (data) => ({
        type: 'api_key.revoked',
        created_at: data.at,
        data: { api_key_id: data.apiKeyId, name: data.name, revoked_at: data.at },
      }),
    },
  },
);
export type ApiKeyEvent = EventOf<typeof apiKeyEvents>;
