import type { NodeId, SessionId } from '../../contracts/ids.ts';
import type { Queryable, SessionRow } from './tables.ts';

/** The sessions whose browsers should be there. */
export async function runningSessions(
  pool: Queryable,
): Promise<readonly { readonly id: SessionId; readonly nodeId: NodeId }[]> {
  const { rows } = await pool.query<Pick<SessionRow, 'id'> & { readonly node_id: NodeId }>(
    `select id, node_id from read_model.sessions where status in ('ready', 'busy') and node_id is not null`,
  );
  return rows.map(({ id, node_id }) => ({ id, nodeId: node_id }));
}

export async function countSessionsByStatus(pool: Queryable): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<Pick<SessionRow, 'status'> & { readonly count: number }>(
    'select status, count(*)::integer from read_model.sessions group by 1',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
