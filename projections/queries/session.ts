import type { AccountId, NodeId, SessionId } from '../../contracts/ids.ts';
import { sessions as sessionsModel } from '../read-models/session.ts';
import { ownList } from './lists.ts';
import { newest } from './newest.ts';
import { db, rowsOf, type Tables, type Queryable, type SessionRow } from './tables.ts';

/** The columns of a reply, without the node and the table's positions. */
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
  'idle_timeout',
] as const satisfies readonly (keyof SessionRow)[];
export type ListedSession = Pick<Tables['read_model.sessions'], (typeof listed)[number]>;

export const sessionList = ownList('list-sessions', db.selectFrom('read_model.sessions').select(listed));

/** Sessions that should have a browser. */
export const runningSessions = (
  pool: Queryable,
): Promise<readonly { readonly id: SessionId; readonly nodeId: NodeId }[]> =>
  rowsOf(
    pool,
    `select id, node_id as "nodeId" from read_model.sessions
     where status in ('ready', 'busy') and node_id is not null`,
  );

/** Live ones: those that have ended stay in the table for ever, and all of them would be read. */
export async function countLiveSessions(pool: Queryable): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<Pick<SessionRow, 'status'> & { readonly count: number }>(
    // Literal, for the partial index on these rows.
    `select status, count(*)::integer from read_model.sessions
     where status in ('creating', 'ready', 'busy') group by 1`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

export interface SessionFilter {
  readonly account: AccountId;
  readonly live?: true;
  readonly limit: number;
}

/** Newest first, for an operator. */
export const sessionsOf = (pool: Queryable, { account, live, limit }: SessionFilter) =>
  newest(pool, sessionsModel, {
    columns: ['id', 'status', 'node_id', 'label', 'created_at', 'destroyed_at', 'ended_reason'],
    where: { account_id: account },
    ...(live && { only: "status in ('creating', 'ready', 'busy')" }),
    limit,
  });
