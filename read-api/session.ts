import { parseId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Session } from '../contracts/resources/session.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { listPage } from './engine/paging.ts';
import { notFound, type Read } from './engine/reading.ts';
import {
  sessionById,
  sessionList,
  type ListedSession,
  type SessionDetail,
} from '../projections/queries/session.ts';

type SessionRoutes = Pick<Handlers<'read', Reader>, 'sessions.list' | 'sessions.get'>;

export function sessionReads(read: Read, cursors: Cursors): SessionRoutes {
  return {
    'sessions.list': {
      run: listPage({ route: 'sessions.list', read, cursors, list: sessionList, show: showSession }),
    },
    'sessions.get': {
      run: async (call) => {
        const sessionId = parseId('session', call.params.id);
        if (sessionId === undefined) throw refuse('not-found');
        const { accountId } = call.caller;
        const { rows, stale, freshness } = await read(call, sessionById, { accountId, sessionId });
        const [row] = rows;
        if (row === undefined) throw notFound(stale);
        return { body: showDetail(row), ...freshness };
      },
    },
  };
}

const showSession = (row: ListedSession): Session => ({
  id: row.id,
  account_id: row.account_id,
  archetype: row.archetype,
  status: row.status,
  label: row.label ?? '',
  metadata: row.metadata,
  profile_id: row.profile_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ready_at: row.ready_at?.toISOString() ?? null,
  destroyed_at: row.destroyed_at?.toISOString() ?? null,
  ended_reason: row.ended_reason,
  ...(row.expires_at === null ? {} : { expires_at: row.expires_at.toISOString() }),
});

const showDetail = (row: SessionDetail): Session => ({
  ...showSession(row),
  egress_capabilities: row.egress_capabilities,
});
