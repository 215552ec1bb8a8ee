import { presentIdle } from '../contracts/resources/idle-timeout.ts';
import type { Session } from '../contracts/resources/session.ts';
import { rowById } from '../projections/queries/detail.ts';
import { sessionList, type ListedSession } from '../projections/queries/session.ts';
import { sessions } from '../projections/read-models/session.ts';
import type { Details } from './engine/details.ts';
import type { Pages } from './engine/paging.ts';
import { idOf, type Read } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';

export const sessionReads = (read: Read, { list }: Pages, details: Details) => ({
  'sessions.list': list('sessions.list', sessionList, showSession),
  ...details(
    'sessions',
    ownResource(read, {
      model: sessions,
      idOf: (text) => idOf('session', text),
      statement: rowById(sessions),
      show: (row) => ({ ...showSession(row), egress_capabilities: row.egress_capabilities }),
    }),
  ),
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
  ...presentIdle(row.idle_timeout),
});
