import type pg from 'pg';
import type { WebhookDeliveryId } from '../../../contracts/ids.ts';

/** A place among the open deliveries, by the time their next attempt is due. */
export interface Place {
  readonly next_attempt_at: Date;
  readonly id: string;
}

export interface DueDelivery extends Place {
  readonly id: WebhookDeliveryId;
  readonly attempt_count: number;
}

/** Deliveries that are not over, as far as the read models know. */
export interface OpenDeliveries {
  /** Those behind the place that are due by then, the longest due first. */
  due(by: Date, after: Place, limit: number): Promise<readonly DueDelivery[]>;
  /** Some of those whose endpoint was deleted or disabled since then. */
  ofGone(since: Date, limit: number): Promise<readonly WebhookDeliveryId[]>;
}

const due = `
  select id, attempt_count, next_attempt_at from read_model.webhook_deliveries
  where status in ('pending', 'retrying') and next_attempt_at <= $1
    and next_attempt_at >= $2 and (next_attempt_at, id) > ($2, $3)
  order by next_attempt_at, id limit $4`;

const ofGone = `
  select d.id
  from read_model.webhooks w
  cross join lateral (
    select id from read_model.webhook_deliveries
    where endpoint_id = w.id and status in ('pending', 'retrying') limit $2
  ) d
  where (w.disabled_at is not null or w.deleted_at is not null)
    and greatest(w.disabled_at, w.deleted_at) > $1
  limit $2`;

export const openDeliveriesIn = (pool: Pick<pg.Pool, 'query'>): OpenDeliveries => ({
  due: async (by, after, limit) => {
    const values = [by, after.next_attempt_at, after.id, limit];
    return (await pool.query<DueDelivery>(due, values)).rows;
  },
  ofGone: async (since, limit) => {
    const { rows } = await pool.query<{ id: WebhookDeliveryId }>(ofGone, [since, limit]);
    return rows.map(({ id }) => id);
  },
});
