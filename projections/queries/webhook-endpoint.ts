import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import { freshStatement } from './fresh-statement.ts';
import { afterCursor, newestFirst, type ListParameters } from './lists.ts';
import { db, type Queryable, type WebhookRow } from './tables.ts';

export interface OneWebhook {
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
}

/** A deleted endpoint is not there. */
export const webhookById = freshStatement<OneWebhook, WebhookRow>('get-webhook', (parameter) =>
  db
    .selectFrom('read_model.webhooks')
    .selectAll()
    .where('id', '=', parameter('webhookId'))
    .where('account_id', '=', parameter('accountId'))
    .where('deleted_at', 'is', null),
);

export const webhookList = freshStatement<ListParameters, WebhookRow>(
  'list-webhooks',
  (parameter) =>
    db
      .selectFrom('read_model.webhooks')
      .selectAll()
      .where('account_id', '=', parameter('accountId'))
      .where('deleted_at', 'is', null)
      .where(afterCursor(parameter))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(parameter('limit')),
  newestFirst,
);

export type FailingEndpoint = Pick<WebhookRow, 'id' | 'account_id' | 'url' | 'consecutive_failures'>;

/** The endpoints with the most failed attempts in a row, of those that still get any. */
export async function failingEndpoints(pool: Queryable, limit: number): Promise<FailingEndpoint[]> {
  const { rows } = await pool.query<FailingEndpoint>(
    `select id, account_id, url, consecutive_failures from read_model.webhooks
    where consecutive_failures > 0 and deleted_at is null and disabled_at is null
    order by consecutive_failures desc, id limit $1`,
    [limit],
  );
  return rows;
}
