import type { WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import { toId } from '../../contracts/ids.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import type { AttemptOutcome, WebhookDeliveryCommand } from './webhook-delivery.ts';

/** An example delivery: scheduled at 12:00:00, its first attempt starts at once and ends a second later. */
export const deliveryId = toId('webhookDelivery', '0197f1a0-0000-7000-8000-000000000001');
const webhookId = toId('webhook', '0197f1a0-0000-7000-8000-000000000002');
const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000003');
const of = { deliveryId, webhookId, accountId };

/** A time on that day: `at('12:00:01')`. */
export const at = (time: string): string => `2026-01-05T${time}.000Z`;

/** The contract's back-off: 1, 5, 15, 30 and 60 minutes, in milliseconds. */
export const backoffMs = [1, 5, 15, 30, 60].map((minutes) => minutes * 60_000);

const timings = { resolveMs: 2, connectMs: 20, firstByteMs: 30, totalMs: 1000 };
const made = { attempt: 1, timings, startedAt: at('12:00:00'), at: at('12:00:01') };
const failure = { responseStatus: 500, error: null };
const delivery = {
  ...of,
  eventId: '0197f1a0-0000-5000-8000-000000000004',
  eventType: 'session.completed',
  body: '{"id":"0197f1a0-0000-5000-8000-000000000004"}',
  trigger: 'event',
  replayOf: null,
  replayId: null,
  at: at('12:00:00'),
} as const;

export const succeeded: AttemptOutcome = { outcome: 'succeeded', responseStatus: 200 };
export const failed: AttemptOutcome = { outcome: 'failed', ...failure };

export const events = eventBuilders<WebhookDeliveryEvent>({
  DeliveryScheduled: { ...delivery, dueAt: delivery.at },
  DeliverySucceeded: { ...of, ...made, responseStatus: 200 },
  DeliveryAttemptFailed: { ...of, ...made, ...failure, nextAttemptAt: at('12:01:01') },
  DeliveryDeadLettered: { ...of, attempts: 6, at: made.at },
  DeliveryCancelled: { ...of, reason: 'webhook_deleted', at: at('12:00:02') },
  DeliveryRequeued: { ...of, dueAt: at('15:00:00'), at: at('15:00:00') },
});

const schedule = { type: 'ScheduleDelivery', ...delivery } as const;
const attempt = { ...made, result: failed, backoffMs, jitter: 0 };

export const commands = commandBuilders<WebhookDeliveryCommand>({
  ScheduleDelivery: delivery,
  ScheduleAttempted: { schedule, attempt: { type: 'RecordAttempt', ...attempt } },
  RecordAttempt: attempt,
  CancelDelivery: { reason: 'webhook_deleted', at: at('12:00:02') },
  RequeueDelivery: { at: at('15:00:00') },
});
