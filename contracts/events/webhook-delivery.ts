import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { webhookEventTypes } from '../webhooks/event-types.ts';
import { category, type EventOf } from './catalogue.ts';

const deliveryId = idSchema('webhookDelivery');
const webhookId = idSchema('webhook');
const accountId = idSchema('account');
const milliseconds = Type.Integer({ minimum: 0 });
const attempt = Type.Integer({ minimum: 1 });

/** Why a delivery was made: something happened, it was sent again on request, or the endpoint was tested. */
export const deliveryTriggers = ['event', 'replay', 'test'] as const;

/** What went wrong with an attempt that got no status, in words that say nothing of the receiver's network. */
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

/** How long each part of an attempt took; null for a part that was not reached, or not needed on an open connection. */
export const AttemptTimings = closed({
  resolveMs: nullable(milliseconds),
  connectMs: nullable(milliseconds),
  firstByteMs: nullable(milliseconds),
  totalMs: milliseconds,
});
export type AttemptTimings = Static<typeof AttemptTimings>;

/**
 * `webhook_delivery-<uuid>`: one event on its way to one endpoint. The uuid derives from the event, the endpoint and what
 * triggered it, so that scheduling it again is nothing new.
 */
export const webhookDeliveryEvents = category(
  'webhook_delivery',
  {
    DeliveryScheduled: closed({
      deliveryId,
      webhookId,
      accountId,
      /** The envelope's. */
      eventId: Type.String({ format: 'uuid' }),
      eventType: oneOf(webhookEventTypes),
      /** The bytes that every attempt sends. */
      body: Type.String(),
      trigger: oneOf(deliveryTriggers),
      /** The delivery that is sent again, when one was named. */
      replayOf: nullable(deliveryId),
      /** The replay of a range that it belongs to. */
      replayId: nullable(idSchema('webhookReplay')),
      dueAt: Timestamp,
      /** The first attempt is being made already, and has ended by then: nobody else makes one before. */
      underWayUntil: Type.Optional(Timestamp),
      at: Timestamp,
    }),
    DeliverySucceeded: closed({
      deliveryId,
      webhookId,
      accountId,
      attempt,
      responseStatus: Type.Integer({ minimum: 200, maximum: 299 }),
      timings: AttemptTimings,
      startedAt: Timestamp,
      at: Timestamp,
    }),
    DeliveryAttemptFailed: closed({
      deliveryId,
      webhookId,
      accountId,
      attempt,
      responseStatus: nullable(Type.Integer({ minimum: 100, maximum: 999 })),
      error: nullable(oneOf(attemptErrors)),
      timings: AttemptTimings,
      startedAt: Timestamp,
      /** Null after the last one. */
      nextAttemptAt: nullable(Timestamp),
      at: Timestamp,
    }),
    /** Its attempts are used up. A replay or a requeue sends it again. */
    DeliveryDeadLettered: closed({ deliveryId, webhookId, accountId, attempts: attempt, at: Timestamp }),
    /** Its endpoint is gone: there is nobody to send it to. */
    DeliveryCancelled: closed({
      deliveryId,
      webhookId,
      accountId,
      reason: oneOf(['webhook_deleted', 'webhook_disabled', 'account_erased']),
      at: Timestamp,
    }),
    /** Staff gave a dead letter another round of attempts. */
    DeliveryRequeued: closed({ deliveryId, webhookId, accountId, dueAt: Timestamp, at: Timestamp }),
  },
  {
    audit: {
      DeliveryScheduled: (data) =>
        data.replayOf === null
          ? null
          : {
              action: 'webhook_delivery.replayed',
              target: { type: 'webhook_delivery', id: data.deliveryId },
              payload: {
                via: 'replay',
                replay_of: data.replayOf,
                endpoint_id: data.webhookId,
                event_id: data.eventId,
              },
            },
      DeliveryRequeued: (data) => ({
        action: 'webhook_delivery.requeued',
        target: { type: 'webhook_delivery', id: data.deliveryId },
        payload: { endpoint_id: data.webhookId },
      }),
    },
  },
);
export type WebhookDeliveryEvent = EventOf<typeof webhookDeliveryEvents>;
