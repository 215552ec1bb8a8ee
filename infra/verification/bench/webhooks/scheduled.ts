import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { toAppend } from '../../../../commands/engine/recording.ts';
import { webhookDeliveryEvents } from '../../../../contracts/events/webhook-delivery.ts';
import { toId, type AccountId, type WebhookId } from '../../../../contracts/ids.ts';
import type { EventStore } from '../../../event-store/client/index.ts';
import { inTransaction } from '../../../postgres/index.ts';
import { inFlight } from '../load.ts';
import { sqlId } from '../read-side.ts';

/** An account and its endpoints, which deliveries are spread over. */
export interface Subscribed {
  readonly account: AccountId;
  readonly webhooks: readonly WebhookId[];
}

/** How many deliveries, and over which time they become due, evenly. */
export interface Spread {
  readonly deliveries: number;
  readonly firstDue: number;
  readonly overMs: number;
}

/**
 * Inserts deliveries that wait for their second attempt directly into the read model: in the log they would take minutes, and the
 * log is not read before they are due. A worker that is woken for one finds nothing to send. Returns when the first is due:
 * `leadMs` after all are inserted.
 */
export async function fillScheduled(
  pool: pg.Pool,
  { account, webhooks }: Subscribed,
  { deliveries, overMs, leadMs }: Pick<Spread, 'deliveries' | 'overMs'> & { readonly leadMs: number },
): Promise<number> {
  const startedAt = Date.now();
  const firstDue = await inTransaction(pool, async (client) => {
    await client.query(
      `insert into read_model.webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, status, trigger,
         attempt_count, next_attempt_at, created_at, updated_at, attempts, commit_position, prepare_position)
       select ${sqlId('dlv', 'i')}, $1, ($2::text[])[1 + i % cardinality($2::text[])], md5(i::text)::uuid,
         'session.completed', 'retrying', 'event', 1, $3::timestamptz + i * $4::float8 * interval '1 ms', $3, $3, $5, 0, 0
       from generate_series(0, $6::int - 1) as i`,
      [account, webhooks, new Date(startedAt), overMs / deliveries, JSON.stringify([failed]), deliveries],
    );
    // Filling takes time: deliveries that are due too early by now are moved to the end.
    const first = Date.now() + leadMs;
    await client.query(
      `update read_model.webhook_deliveries set next_attempt_at = next_attempt_at + $1::float8 * interval '1 ms'
       where next_attempt_at < $2 and status = 'retrying'`,
      [overMs, new Date(first)],
    );
    return first;
  });
  await pool.query('vacuum analyze read_model.webhook_deliveries');
  return firstDue;
}

const failed = {
  at: '2026-01-05T12:00:00.000Z',
  response_status: 503,
  error: null,
  duration_ms: 80,
  timings: { resolve_ms: 4, connect_ms: 31, first_byte_ms: 79 },
};

/** Deliveries in the log, to be sent by the sweep. Returns when each is due, by its envelope's id. */
export async function scheduleReal(
  store: EventStore,
  { account, webhooks }: Subscribed,
  { deliveries, firstDue, overMs }: Spread,
): Promise<ReadonlyMap<string, number>> {
  const due = new Map<string, number>();
  await inFlight(deliveries, 64, async (index) => {
    const eventId = randomUUID();
    const dueAt = Math.floor(firstDue + (index * overMs) / deliveries);
    due.set(eventId, dueAt);
    await schedule(store, account, webhooks[index % webhooks.length], eventId, new Date(dueAt));
  });
  return due;
}

async function schedule(
  store: EventStore,
  accountId: AccountId,
  webhookId: WebhookId | undefined,
  eventId: string,
  dueAt: Date,
): Promise<void> {
  if (webhookId === undefined) throw new Error('There is no endpoint.');
  const uuid = randomUUID();
  const body = JSON.stringify({ id: eventId, type: 'session.completed', data: {} });
  const data = {
    ...{ deliveryId: toId('webhookDelivery', uuid), webhookId, accountId },
    ...{ eventId, eventType: 'session.completed', body },
    ...{ trigger: 'event', replayOf: null, replayId: null },
    ...{ dueAt: dueAt.toISOString(), at: new Date().toISOString() },
  } as const;
  const context = {
    ...{ commandId: uuid, correlationId: eventId, causationId: eventId, by: 'request:bench' as const },
    actor: { kind: 'system', account_id: accountId },
    requestId: null,
  } as const;
  const events = toAppend(webhookDeliveryEvents, [{ type: 'DeliveryScheduled', data }], context);
  await store.append(`webhook_delivery-${uuid}`, 'no_stream', events);
}
