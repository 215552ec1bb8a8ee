import { apiKeyEvents, type Scope } from '../../contracts/events/api-key.ts';
import { creatorOf, type Creator } from '../../contracts/resources/creator.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalJsonOf, textOf } from '../engine/table.ts';
import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';

/** Every API key, ended ones included: a revoked key gets another problem than an unknown one. The key itself is not stored. */
export const apiKeys = readModel('api_keys', {
  of: apiKeyEvents,
  id: 'apiKey',
  columns: {
    id: textOf<ApiKeyId>(),
    account_id: textOf<AccountId>(),
    name: column.text,
    scopes: jsonOf<Scope[]>(),
    prefix: column.text,
    last4: column.text,
    hash: column.text,
    created_at: column.time,
    expires_at: column.optionalTime,
    revoked_at: column.optionalTime,
    /** The key that replaced it; it remains valid until `expires_at`. */
    rotated_to: column.optionalText,
    created_by: optionalJsonOf<Creator>(),
  },
  indexes: ['(account_id, created_at desc, id desc)'],
  handlers: 1,
  creates: {
    ApiKeyCreated: ({ data, metadata }) => ({
      id: data.apiKeyId,
      account_id: data.accountId,
      name: data.name,
      scopes: data.scopes,
      prefix: data.prefix,
      last4: data.last4,
      hash: data.hash,
      created_at: data.at,
      expires_at: data.expiresAt,
      revoked_at: null,
      rotated_to: null,
      created_by: creatorOf(metadata.actor),
    }),
  },
  changes: {
    ApiKeyRotated: ({ data }) => ({ expires_at: data.graceEndsAt, rotated_to: data.successor.apiKeyId }),
    ApiKeyRevoked: ({ data }) => ({ revoked_at: data.at }),
  },
});
