import type pg from 'pg';
import type { AccountId, WebhookId } from '../../../contracts/ids.ts';

/** Those that wait for an attempt, in the words of the read model's index. */
const isOpen = "status in ('pending', 'retrying')";
/** What is due is on its way within seconds; after this it is late. */
const isOverdue = `${isOpen} and next_attempt_at < now() - interval '1 minute'`;
/** Of so many deliveries that are due longest it is seen which endpoints they are for. */
const LOOKED_AT = 10_000;

export interface Waiting {
  readonly open: number;
  readonly overdue: number;
  /** Since the oldest one was due; 0 when none is. */
  readonly oldestDueSeconds: number;
}

export async function waitingDeliveries(pool: pg.Pool): Promise<Waiting> {
  const { rows } = await pool.query<Waiting>(`
    select count(*)::integer as open,
      count(*) filter (where ${isOverdue})::integer as overdue,
      coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8 as "oldestDueSeconds"
    from read_model.webhook_deliveries where ${isOpen}`);
  return rows[0] ?? { open: 0, overdue: 0, oldestDueSeconds: 0 };
}

export interface LateEndpoint {
  readonly id: WebhookId;
  /** Among those looked at. */
  readonly deliveries: number;
  /** Since the oldest of them was due. */
  readonly seconds: number;
}

/** The endpoints whose deliveries have been due longest. */
export async function latestEndpoints(pool: pg.Pool, limit: number): Promise<LateEndpoint[]> {
  const { rows } = await pool.query<LateEndpoint>(
    `select endpoint_id as id, count(*)::integer as deliveries,
      extract(epoch from now() - min(next_attempt_at))::float8 as seconds
    from (
      select endpoint_id, next_attempt_at from read_model.webhook_deliveries
      where ${isOpen} and next_attempt_at < now() order by next_attempt_at limit ${LOOKED_AT}
    ) as oldest
    group by endpoint_id order by seconds desc, id limit $1`,
    [limit],
  );
  return rows;
}

export interface FailingEndpoint {
  readonly id: WebhookId;
  readonly account_id: AccountId;
  readonly url: string;
  readonly consecutive_failures: number;
}

/** The endpoints with the most failed attempts in a row, of those that still get any. */
export async function failingEndpoints(pool: pg.Pool, limit: number): Promise<FailingEndpoint[]> {
  const { rows } = await pool.query<FailingEndpoint>(
    `select id, account_id, url, consecutive_failures from read_model.webhooks
    where consecutive_failures > 0 and deleted_at is null and disabled_at is null
    order by consecutive_failures desc, id limit $1`,
    [limit],
  );
  return rows;
}

export interface OverdueDelivery {
  readonly id: string;
  readonly account_id: AccountId;
  readonly endpoint_id: WebhookId;
  readonly event_type: string;
  readonly attempt_count: number;
  readonly next_attempt_at: Date;
}

/** Open ones that were due more than a minute ago, the oldest first. */
export async function overdueDeliveries(pool: pg.Pool, limit: number): Promise<OverdueDelivery[]> {
  const { rows } = await pool.query<OverdueDelivery>(
    `select id, account_id, endpoint_id, event_type, attempt_count, next_attempt_at
    from read_model.webhook_deliveries where ${isOverdue} order by next_attempt_at, id limit $1`,
    [limit],
  );
  return rows;
}
