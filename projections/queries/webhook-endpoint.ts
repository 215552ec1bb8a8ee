import type { Queryable, WebhookRow } from './tables.ts';

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
