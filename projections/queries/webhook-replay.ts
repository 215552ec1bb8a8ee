import type { WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, idsOf, type Queryable, type Tables } from './tables.ts';
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

/** Endpoints with a running replay, oldest first. */
export const endpointsBeingReplayed = (pool: Queryable): Promise<readonly WebhookId[]> =>
  idsOf(
    pool,
    `select endpoint_id as id from read_model.webhook_replays where status = 'running' order by created_at`,
  );
