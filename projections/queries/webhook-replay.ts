import type { WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Queryable, type ReplayRow } from './tables.ts';
import type { OneWebhook } from './webhook-endpoint.ts';

/** A replay to an endpoint that is not deleted. */
export const replayById = freshStatement<OneWebhook & { readonly replayId: WebhookReplayId }, ReplayRow>(
  'get-webhook-replay',
  (parameter) =>
    db
      .selectFrom('read_model.webhook_replays as replay')
      .innerJoin('read_model.webhooks as webhook', 'webhook.id', 'replay.endpoint_id')
      .selectAll('replay')
      .where('replay.id', '=', parameter('replayId'))
      .where('replay.account_id', '=', parameter('accountId'))
      .where('replay.endpoint_id', '=', parameter('webhookId'))
      .where('webhook.deleted_at', 'is', null),
);

/** Endpoints with a replay that is not over, the oldest first. */
export async function endpointsBeingReplayed(pool: Queryable): Promise<readonly WebhookId[]> {
  const { rows } = await pool.query<Pick<ReplayRow, 'endpoint_id'>>(
    `select endpoint_id from read_model.webhook_replays where status = 'running' order by created_at`,
  );
  return rows.map(({ endpoint_id }) => endpoint_id);
}
