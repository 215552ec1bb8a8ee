import type { WebhookId } from '../../contracts/ids.ts';
import type { Queryable, ReplayRow } from './tables.ts';

/** Endpoints with a replay that is not over, the oldest first. */
export async function endpointsBeingReplayed(pool: Queryable): Promise<readonly WebhookId[]> {
  const { rows } = await pool.query<Pick<ReplayRow, 'endpoint_id'>>(
    `select endpoint_id from read_model.webhook_replays where status = 'running' order by created_at`,
  );
  return rows.map(({ endpoint_id }) => endpoint_id);
}
