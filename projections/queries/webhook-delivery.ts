import type { AccountId, WebhookDeliveryId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import type { DeliveryStatus } from '../../contracts/resources/webhook-delivery.ts';
import { webhookDeliveries } from '../read-models/webhook-delivery.ts';
import { dueIn } from './due.ts';
import { newest } from './newest.ts';
import { countOf, idsOf, rowsOf, type DeliveryRow, type Queryable } from './tables.ts';

/** Deliveries with a pending attempt; the condition of the partial index. */
const isOpen = "status in ('pending', 'retrying')";

/** For the sweep of deliveries. */
export const openDeliveriesIn = (pool: Queryable) => ({
  due: dueIn<WebhookDeliveryId>(pool, 'read_model.webhook_deliveries', isOpen),

  /** Some of the open deliveries whose endpoint was deleted or disabled since then. */
  ofGone: (since: Date, limit: number): Promise<readonly WebhookDeliveryId[]> =>
    idsOf(
      pool,
      `select d.id
       from read_model.webhooks w
       cross join lateral (
         select id from read_model.webhook_deliveries
         where endpoint_id = w.id and status in ('pending', 'retrying') limit $2
       ) d
       where (w.disabled_at is not null or w.deleted_at is not null)
         and greatest(w.disabled_at, w.deleted_at) > $1
       limit $2`,
      [since, limit],
    ),
});

/** Number of the replays' open deliveries; counts no further than `limit`. */
export const countOpenDeliveriesOf = (
  pool: Queryable,
  replayIds: readonly WebhookReplayId[],
  limit: number,
): Promise<number> =>
  countOf(
    pool,
    `select count(*)::integer from (
       select 1 from read_model.webhook_deliveries
       where replay_id = any ($1::text[]) and status in ('pending', 'retrying') limit $2
     ) as deliveries`,
    [replayIds, limit],
  );

/** Due deliveries are sent within seconds; later they count as overdue. */
const isOverdue = `${isOpen} and next_attempt_at < now() - interval '1 minute'`;
/** Number of the longest due deliveries that are examined for their endpoints. */
const LOOKED_AT = 10_000;

export interface Waiting {
  readonly open: number;
  readonly overdue: number;
  /** Seconds since the oldest one was due; 0 without any. */
  readonly oldestDueSeconds: number;
}

export async function waitingDeliveries(pool: Queryable): Promise<Waiting> {
  const rows = await rowsOf<Waiting>(
    pool,
    `
    select count(*)::integer as open,
      count(*) filter (where ${isOverdue})::integer as overdue,
      coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8 as "oldestDueSeconds"
    from read_model.webhook_deliveries where ${isOpen}`,
  );
  return rows[0] ?? { open: 0, overdue: 0, oldestDueSeconds: 0 };
}

export interface LateEndpoint {
  readonly id: WebhookId;
  /** Number among the examined deliveries. */
  readonly deliveries: number;
  /** Seconds since the oldest of them was due. */
  readonly seconds: number;
}

/** The endpoints whose deliveries have been due longest. */
export const latestEndpoints = (pool: Queryable, limit: number): Promise<LateEndpoint[]> =>
  rowsOf(
    pool,
    `select endpoint_id as id, count(*)::integer as deliveries,
      extract(epoch from now() - min(next_attempt_at))::float8 as seconds
    from (
      select endpoint_id, next_attempt_at from read_model.webhook_deliveries
      where ${isOpen} and next_attempt_at < now() order by next_attempt_at limit ${LOOKED_AT}
    ) as oldest
    group by endpoint_id order by seconds desc, id limit $1`,
    [limit],
  );

export type OverdueDelivery = Pick<
  DeliveryRow,
  'id' | 'account_id' | 'endpoint_id' | 'event_type' | 'attempt_count'
> & { readonly next_attempt_at: Date };

/** Open deliveries due more than a minute ago, oldest first. */
export const overdueDeliveries = (pool: Queryable, limit: number): Promise<OverdueDelivery[]> =>
  rowsOf(
    pool,
    `select id, account_id, endpoint_id, event_type, attempt_count, next_attempt_at
    from read_model.webhook_deliveries where ${isOverdue} order by next_attempt_at, id limit $1`,
    [limit],
  );

export interface DeliveryFilter {
  readonly account?: AccountId;
  readonly webhook?: WebhookId;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

/** Newest first. */
export const listDeliveries = (pool: Queryable, { account, webhook, status, limit }: DeliveryFilter) =>
  newest(pool, webhookDeliveries, {
    columns: [
      ...(['id', 'account_id', 'endpoint_id', 'event_id', 'event_type', 'status', 'trigger'] as const),
      ...(['attempt_count', 'next_attempt_at', 'created_at', 'delivered_at', 'attempts'] as const),
    ],
    where: { account_id: account, endpoint_id: webhook, status },
    limit,
  });

/** Dead letters as of the read model, oldest first; their streams decide. */
export const deadLettersOf = (
  pool: Queryable,
  webhook: WebhookId,
  since = '-infinity',
): Promise<readonly WebhookDeliveryId[]> =>
  idsOf(
    pool,
    `select id from read_model.webhook_deliveries
    where endpoint_id = $1 and status = 'dead_letter' and updated_at >= $2 order by created_at, id`,
    [webhook, since],
  );
