import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

export const scopes = ['read', 'write', 'read:sessions', 'write:sessions', 'account_owner'] as const;
export type Scope = (typeof scopes)[number];

const apiKeyId = idSchema('apiKey');
const entry = entryOn('api_key');

/** The stored part of a key: enough to check and to show it, never the key. */
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

/** `api_key-<uuid>`: one key from issue to end. A rotation contains its successor, so that a crash cannot lose it. */
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
    /** Reserved, but not created in time. */
    ApiKeyWithdrawn: closed({ apiKeyId, accountId: idSchema('account'), at: Timestamp }),
  },
  {
    personal: {
      ApiKeyCreated: { name: '' },
      ApiKeyRotated: { 'successor.name': '' },
      ApiKeyRevoked: { name: '' },
    },
    audit: {
      ApiKeyCreated: ({ apiKeyId, name, scopes, expiresAt, rotatedFrom }) =>
        rotatedFrom === null
          ? entry('api_key.created', apiKeyId, { name, scopes, expires_at: expiresAt })
          : null,
      ApiKeyRotated: ({ apiKeyId, successor, graceEndsAt }) =>
        entry('api_key.rotated', apiKeyId, {
          name: successor.name,
          successor: successor.apiKeyId,
          grace_ends_at: graceEndsAt,
        }),
      ApiKeyRevoked: ({ apiKeyId, name, by }) => entry('api_key.revoked', apiKeyId, { name, by }),
    },
    announced: {
      ApiKeyRevoked: ({ apiKeyId, name, at }) => ({
        type: 'api_key.revoked',
        created_at: at,
        data: { api_key_id: apiKeyId, name, revoked_at: at },
      }),
    },
  },
);
export type ApiKeyEvent = EventOf<typeof apiKeyEvents>;
