import { parseId, type AccountId, type SessionId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Session } from '../contracts/resources/session.ts';
import type { Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { afterCursor, listPage, newestFirst, type ListParameters } from './engine/paging.ts';
import { notFound, type Read } from './engine/reading.ts';
import { freshStatement } from './engine/statement.ts';
import type { Database, SessionRow } from '../projections/queries/tables.ts';

type SessionRoutes = Pick<Handlers<'read', Reader>, 'sessions.list' | 'sessions.get'>;

/** What a reply is made of: neither the node nor the positions of the table travel for nothing. */
const listed = [
  'id',
  'account_id',
  'archetype',
  'status',
  'label',
  'metadata',
  'profile_id',
  'created_at',
  'updated_at',
  'ready_at',
  'destroyed_at',
  'ended_reason',
  'expires_at',
] as const satisfies readonly (keyof SessionRow)[];
type ListedRow = Pick<SessionRow, (typeof listed)[number]>;
type DetailRow = ListedRow & Pick<SessionRow, 'egress_capabilities'>;

export function sessionReads(db: Database, read: Read, cursors: Cursors): SessionRoutes {
  const list = freshStatement<ListParameters, ListedRow>(
    'list-sessions',
    (parameter) =>
      db
        .selectFrom('read_model.sessions')
        .select(listed)
        .where('account_id', '=', parameter('accountId'))
        .where(afterCursor(parameter))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(parameter('limit')),
    newestFirst,
  );
  const one = freshStatement<{ readonly accountId: AccountId; readonly sessionId: SessionId }, DetailRow>(
    'get-session',
    (parameter) =>
      db
        .selectFrom('read_model.sessions')
        .select([...listed, 'egress_capabilities'])
        .where('id', '=', parameter('sessionId'))
        .where('account_id', '=', parameter('accountId')),
  );

  return {
    'sessions.list': {
      run: listPage({ route: 'sessions.list', read, cursors, list, show: showSession }),
    },
    'sessions.get': {
      run: async (call) => {
        const sessionId = parseId('session', call.params.id);
        if (sessionId === undefined) throw refuse('not-found');
        const { accountId } = call.caller;
        const { rows, stale, freshness } = await read(call, one, { accountId, sessionId });
        const [row] = rows;
        if (row === undefined) throw notFound(stale);
        return { body: showDetail(row), ...freshness };
      },
    },
  };
}

const showSession = (row: ListedRow): Session => ({
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

const showDetail = (row: DetailRow): Session => ({
  ...showSession(row),
  egress_capabilities: row.egress_capabilities,
});
