import type { ApiKey } from '../contracts/resources/api-key.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { afterCursor, listPage, newestFirst, type ListParameters } from './engine/paging.ts';
import type { Read } from './engine/reading.ts';
import { freshStatement } from './engine/statement.ts';
import type { ApiKeyRow, Database } from '../projections/queries/tables.ts';

type ListedKey = ApiKeyRow & { readonly used_at: Date | null };

export function apiKeyReads(
  db: Database,
  read: Read,
  cursors: Cursors,
  clock: Clock,
): Pick<Handlers<'read', Reader>, 'api-keys.list'> {
  const list = freshStatement<ListParameters, ListedKey>(
    'list-api-keys',
    (parameter) =>
      db
        .selectFrom('read_model.api_keys as key')
        .leftJoin('ephemeral.key_uses as use', 'use.key_id', 'key.id')
        .selectAll('key')
        .select('use.used_at')
        .where('account_id', '=', parameter('accountId'))
        .where(afterCursor(parameter))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(parameter('limit')),
    newestFirst,
  );

  const show = (row: ListedKey) => showApiKey(row, clock.now());
  return { 'api-keys.list': { run: listPage({ route: 'api-keys.list', read, cursors, list, show }) } };
}

const showApiKey = (row: ListedKey, now: Date): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  last4: row.last4,
  scopes: [...row.scopes],
  status: statusOf(row, now),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  last_used_at: row.used_at?.toISOString() ?? null,
});

function statusOf({ revoked_at, expires_at, rotated_to }: ApiKeyRow, now: Date): ApiKey['status'] {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return rotated_to === null ? 'active' : 'rotated';
}
