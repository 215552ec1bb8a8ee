import { ownById, ownList } from './lists.ts';
import { db, rowsOf, type Queryable, type WebhookRow } from './tables.ts';

/** Without deleted endpoints. */
const webhooks = db.selectFrom('read_model.webhooks').selectAll().where('deleted_at', 'is', null);

export const webhookById = ownById('get-webhook', webhooks);
export const webhookList = ownList('list-webhooks', webhooks);

export type FailingEndpoint = Pick<WebhookRow, 'id' | 'account_id' | 'url' | 'consecutive_failures'>;

/** Active endpoints with the most consecutive failures. */
export const failingEndpoints = (pool: Queryable, limit: number): Promise<FailingEndpoint[]> =>
  rowsOf(
    pool,
    `select id, account_id, url, consecutive_failures from read_model.webhooks
    where consecutive_failures > 0 and deleted_at is null and disabled_at is null
    order by consecutive_failures desc, id limit $1`,
    [limit],
  );
