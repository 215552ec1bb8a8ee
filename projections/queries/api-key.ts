import { ownById, ownList } from './lists.ts';
import { db } from './tables.ts';

const keys = db
  .selectFrom('read_model.api_keys as key')
  .leftJoin('ephemeral.key_uses as use', 'use.key_id', 'key.id')
  .selectAll('key')
  .select('use.used_at as last_used_at');

/** The account's API keys, ended ones included; one of them. */
export const apiKeyList = ownList('list-api-keys', keys);
export const apiKeyById = ownById('get-api-key', keys);
