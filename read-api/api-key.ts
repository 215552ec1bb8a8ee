import type { ApiKey } from '../contracts/resources/api-key.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { listPage } from './engine/paging.ts';
import type { Read } from './engine/reading.ts';
import { apiKeyList, type ListedKey } from '../projections/queries/api-key.ts';

export function apiKeyReads(
  read: Read,
  cursors: Cursors,
  clock: Clock,
): Pick<Handlers<'read', Reader>, 'api-keys.list'> {
  const show = (row: ListedKey) => showApiKey(row, clock.now());
  return {
    'api-keys.list': { run: listPage({ route: 'api-keys.list', read, cursors, list: apiKeyList, show }) },
  };
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

function statusOf({ revoked_at, expires_at, rotated_to }: ListedKey, now: Date): ApiKey['status'] {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return rotated_to === null ? 'active' : 'rotated';
}
