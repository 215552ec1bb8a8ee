import type { Session } from '../contracts/resources/session.ts';
import { sessionById, sessionList, type ListedSession } from '../projections/queries/session.ts';
import type { Pages } from './engine/paging.ts';
import { showOne, type Read } from './engine/reading.ts';

export const sessionReads = (read: Read, { list }: Pages) => ({
  'sessions.list': list('sessions.list', sessionList, showSession),
  'sessions.get': showOne(read, 'session', sessionById, (row) => ({
    ...showSession(row),
    egress_capabilities: row.egress_capabilities,
  })),
});

const showSession = (row: ListedSession): Session => ({
  id: row.id,
  account_id: row.account_id,
  archetype: row.archetype,
  status: row.status,
  label: row.label ?? '',
  metadata: row.metadata,
  profile_id: row.profile_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  ready_at: row.ready_at,
  destroyed_at: row.destroyed_at,
  ended_reason: row.ended_reason,
  ...(row.expires_at === null ? {} : { expires_at: row.expires_at }),
});
