import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { webhookEventTypes } from '../webhooks/event-types.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const deliveryId = idSchema('webhookDelivery');
const milliseconds = Type.Integer({ minimum: 0 });
const attempt = Type.Integer({ minimum: 1 });
const entry = entryOn('webhook_delivery');
/** Triggers of a delivery: an event, a replay, or a test of the endpoint. */
export const deliveryTriggers = ['event', 'replay', 'test'] as const;

/** Why an attempt got no status. Reveals nothing about the receiver's network. */
export const attemptErrors = [
  'timeout',
  'dns_failure',
  'address_not_allowed',
  'connection_failed',
  'connection_closed',
  'tls_failure',
  'invalid_response',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** Duration of each phase of an attempt. Null: not reached, or not needed on an open connection. */
export const AttemptTimings = closed({
  resolveMs: nullable(milliseconds),
  connectMs: nullable(milliseconds),
  firstByteMs: nullable(milliseconds),
  totalMs: milliseconds,
});
export type AttemptTimings = Static<typeof AttemptTimings>;

/** Fields of every event of a delivery. */
const of = { deliveryId, webhookId: idSchema('webhook'), accountId: idSchema('account'), at: Timestamp };
/** Fields of every event of an attempt. */
const ofAttempt = { ...of, attempt, timings: AttemptTimings, startedAt: Timestamp };

/**
 * `webhook_delivery-<uuid>`: the delivery of one event to one endpoint. The uuid derives from event, endpoint and trigger, so
 * that a delivery is scheduled once.
 */
export const webhookDeliveryEvents = category(
  'webhook_delivery',
  {
    DeliveryScheduled: closed({
      ...of,
      /** Id of the envelope. */
      eventId: Type.String({ format: 'uuid' }),
      eventType: oneOf(webhookEventTypes),
      /** The bytes sent by every attempt. */
      body: Type.String(),
      trigger: oneOf(deliveryTriggers),
      /** The delivery that is replayed, if one was named. */
      replayOf: nullable(deliveryId),
      /** The replay that it belongs to. */
      replayId: nullable(idSchema('webhookReplay')),
      dueAt: Timestamp,
      /** The latest end of the first attempt, which is running; other processes wait until then. */
      underWayUntil: Type.Optional(Timestamp),
    }),
    DeliverySucceeded: closed({
      ...ofAttempt,
      responseStatus: Type.Integer({ minimum: 200, maximum: 299 }),
    }),
    DeliveryAttemptFailed: closed({
      ...ofAttempt,
      responseStatus: nullable(Type.Integer({ minimum: 100, maximum: 999 })),
      error: nullable(oneOf(attemptErrors)),
      /** Null after the last attempt. */
      nextAttemptAt: nullable(Timestamp),
    }),
    /** Its attempts are used up. A replay or a requeue sends it again. */
    DeliveryDeadLettered: closed({ ...of, attempts: attempt }),
    /** Its endpoint is deleted or disabled. */
    DeliveryCancelled: closed({
      ...of,
      reason: oneOf(['webhook_deleted', 'webhook_disabled', 'account_erased']),
    }),
    /** Staff gave a dead letter another round of attempts. */
    DeliveryRequeued: closed({ ...of, dueAt: Timestamp }),
  },
  {
    personal: { DeliveryScheduled: { body: '' } },
    audit: {
      DeliveryScheduled: ({ deliveryId: id, replayOf, webhookId: endpoint, eventId }) =>
        replayOf === null
          ? null
          : entry('webhook_delivery.replayed', id, {
              via: 'replay',
              replay_of: replayOf,
              endpoint_id: endpoint,
              event_id: eventId,
            }),
      DeliveryRequeued: (data) =>
        entry('webhook_delivery.requeued', data.deliveryId, { endpoint_id: data.webhookId }),
    },
  },
);
export type WebhookDeliveryEvent = EventOf<typeof webhookDeliveryEvents>;
