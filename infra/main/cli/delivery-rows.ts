import type pg from 'pg';
import type { AccountId, WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import type { DeliveryAttempt, DeliveryStatus } from '../../../contracts/resources/webhook.ts';

export interface DeliveryRow {
  readonly id: WebhookDeliveryId;
  readonly account_id: AccountId;
  readonly endpoint_id: WebhookId;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: DeliveryStatus;
  readonly trigger: string;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryFilter {
  readonly account?: AccountId;
  readonly webhook?: WebhookId;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

/** The newest first. */
export async function listDeliveries(
  pool: pg.Pool,
  { account, webhook, status, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const given = Object.entries({ account_id: account, endpoint_id: webhook, status }).filter(
    ([, value]) => value !== undefined,
  );
  const where = given.map(([column], index) => `${column} = $${index + 1}`).join(' and ');
  const { rows } = await pool.query<DeliveryRow>(
    `select id, account_id, endpoint_id, event_id, event_type, status, trigger, attempt_count, next_attempt_at,
      created_at, delivered_at, attempts
    from read_model.webhook_deliveries ${where === '' ? '' : `where ${where}`}
    order by created_at desc, id desc limit $${given.length + 1}`,
    [...given.map(([, value]) => value), limit],
  );
  return rows;
}

/** Those the read model takes for dead letters, the oldest first; their streams decide. */
export async function deadLettersOf(
  pool: pg.Pool,
  webhook: WebhookId,
  since?: string,
): Promise<WebhookDeliveryId[]> {
  const { rows } = await pool.query<{ id: WebhookDeliveryId }>(
    `select id from read_model.webhook_deliveries
    where endpoint_id = $1 and status = 'dead_letter' and updated_at >= $2 order by created_at, id`,
    [webhook, since ?? '-infinity'],
  );
  return rows.map(({ id }) => id);
}
