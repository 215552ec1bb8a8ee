import type { WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Queryable, type ReplayRow, type Tables } from './tables.ts';
import { isOwnEndpoint, type OfWebhook } from './webhook-delivery-lists.ts';

/** A replay to an endpoint that is not deleted. */
export const replayById = freshStatement<
  OfWebhook & { readonly replayId: WebhookReplayId },
  Tables['read_model.webhook_replays']
>('get-webhook-replay', (parameter) =>
  db
    .selectFrom('read_model.webhook_replays')
    .selectAll()
    .where('id', '=', parameter('replayId'))
    .where('endpoint_id', '=', parameter('webhookId'))
    .where(isOwnEndpoint(parameter)),
);

/** Endpoints with a replay that is not over, the oldest first. */
export async function endpointsBeingReplayed(pool: Queryable): Promise<readonly WebhookId[]> {
  const { rows } = await pool.query<Pick<ReplayRow, 'endpoint_id'>>(
    `select endpoint_id from read_model.webhook_replays where status = 'running' order by created_at`,
  );
  return rows.map(({ endpoint_id }) => endpoint_id);
}
