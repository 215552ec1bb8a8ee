import { webhookDeliveryEvents, type AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalTextOf, textOf } from '../engine/table.ts';
import type { AccountId, WebhookDeliveryId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import type {
  DeliveryAttempt,
  DeliveryStatus,
  WebhookDelivery,
} from '../../contracts/resources/webhook-delivery.ts';
import type { WebhookEventType } from '../../contracts/webhooks/event-types.ts';

/** Common fields of an attempt's events. */
interface Made {
  readonly startedAt: string;
  readonly responseStatus: number | null;
  readonly timings: AttemptTimings;
}

const shown = (
  { startedAt, responseStatus, timings }: Made,
  error: DeliveryAttempt['error'],
): DeliveryAttempt => ({
  at: startedAt,
  response_status: responseStatus,
  error,
  duration_ms: timings.totalMs,
  timings: {
    resolve_ms: timings.resolveMs,
    connect_ms: timings.connectMs,
    first_byte_ms: timings.firstByteMs,
  },
});

const ended = (status: DeliveryStatus, at: string) => ({
  status,
  next_attempt_at: null,
  updated_at: at,
});

/** Every delivery with its attempts. The body is only in the log, where each attempt reads it. */
export const webhookDeliveries = readModel('webhook_deliveries', {
  of: webhookDeliveryEvents,
  id: 'webhookDelivery',
  columns: {
    id: textOf<WebhookDeliveryId>(),
    account_id: textOf<AccountId>(),
    endpoint_id: textOf<WebhookId>(),
    event_id: column.text,
    event_type: textOf<WebhookEventType>(),
    status: textOf<DeliveryStatus>(),
    trigger: textOf<WebhookDelivery['trigger']>(),
    replay_of: optionalTextOf<WebhookDeliveryId>(),
    replay_id: optionalTextOf<WebhookReplayId>(),
    attempt_count: column.integer,
    /** Null without a pending attempt. */
    next_attempt_at: column.optionalTime,
    created_at: column.time,
    updated_at: column.time,
    delivered_at: column.optionalTime,
    attempts: jsonOf<DeliveryAttempt[]>(),
  },
  /**
   * The first is for the whole list, the second for any filter of it; the third for the sweep, the last for the progress of a
   * replay.
   */
  indexes: [
    '(endpoint_id, created_at desc, id desc)',
    '(endpoint_id, status, event_type, created_at desc, id desc)',
    "(next_attempt_at, id) where status in ('pending', 'retrying')",
    "(replay_id) where replay_id is not null and status in ('pending', 'retrying')",
  ],
  handlers: 2,
  creates: {
    DeliveryScheduled: ({ data }) => ({
      id: data.deliveryId,
      account_id: data.accountId,
      endpoint_id: data.webhookId,
      event_id: data.eventId,
      event_type: data.eventType,
      status: 'pending' as const,
      trigger: data.trigger,
      replay_of: data.replayOf,
      replay_id: data.replayId,
      attempt_count: 0,
      next_attempt_at: data.underWayUntil ?? data.dueAt,
      created_at: data.at,
      updated_at: data.at,
      delivered_at: null,
      attempts: [],
    }),
  },
  changes: {
    DeliverySucceeded: ({ data }, row) => ({
      ...ended('delivered', data.at),
      attempt_count: data.attempt,
      delivered_at: data.at,
      attempts: [...row.attempts, shown(data, null)],
    }),
    DeliveryAttemptFailed: ({ data }, row) => ({
      // The attempt may have been in flight when the delivery was cancelled.
      status: row.status === 'cancelled' ? ('cancelled' as const) : ('retrying' as const),
      attempt_count: data.attempt,
      next_attempt_at: data.nextAttemptAt,
      updated_at: data.at,
      attempts: [...row.attempts, shown(data, data.error)],
    }),
    DeliveryDeadLettered: ({ data: { at } }) => ended('dead_letter', at),
    DeliveryCancelled: ({ data: { at } }) => ended('cancelled', at),
    DeliveryRequeued: ({ data: { at, dueAt } }) => ({
      status: 'pending' as const,
      next_attempt_at: dueAt,
      updated_at: at,
    }),
  },
});
