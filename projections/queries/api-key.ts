import { ownList } from './lists.ts';
import { db } from './tables.ts';

export const apiKeyList = ownList(
  'list-api-keys',
  db
    .selectFrom('read_model.api_keys as key')
    .leftJoin('ephemeral.key_uses as use', 'use.key_id', 'key.id')
    .selectAll('key')
    .select('use.used_at as last_used_at'),
);
