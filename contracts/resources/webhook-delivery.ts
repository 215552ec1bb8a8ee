import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { AttemptTimings, attemptErrors, deliveryTriggers } from '../events/webhook-delivery.ts';
import { webhookEventTypes } from '../webhooks/event-types.ts';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const EventId = Type.String({ format: 'uuid' });

export const DeliveryAttempt = closed({
  at: Timestamp,
  response_status: nullable(Type.Integer()),
  error: nullable(oneOf(attemptErrors)),
  duration_ms: Type.Integer({ minimum: 0 }),
  timings: closed({
    resolve_ms: AttemptTimings.properties.resolveMs,
    connect_ms: AttemptTimings.properties.connectMs,
    first_byte_ms: AttemptTimings.properties.firstByteMs,
  }),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const WebhookDelivery = closed({
  id: idSchema('webhookDelivery'),
  endpoint_id: idSchema('webhook'),
  event_id: EventId,
  event_type: oneOf(webhookEventTypes),
  status: oneOf(deliveryStatuses),
  trigger: oneOf(deliveryTriggers),
  replay_of: nullable(idSchema('webhookDelivery')),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: nullable(Timestamp),
  created_at: Timestamp,
  delivered_at: nullable(Timestamp),
  attempts: Type.Array(DeliveryAttempt),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** What each attempt sends to the receiver: the address and the body of all are the same. */
export const DeliveryRequest = closed({
  method: Type.Literal('POST'),
  url: Type.String(),
  headers: Type.Array(
    closed({
      name: Type.String(),
      value: nullable(
        Type.String({
          description: 'Null for the signature, which is computed for each attempt and not stored.',
        }),
      ),
    }),
    { description: 'In addition to those of HTTP itself, such as `Host` and `Content-Length`.' },
  ),
  body: Type.String({ description: 'The body, byte for byte.' }),
});
export type DeliveryRequest = Static<typeof DeliveryRequest>;

export const WebhookDeliveryDetail = closed({ ...WebhookDelivery.properties, request: DeliveryRequest });
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

/** Times: deliveries created at or after `since`, and before `until`. */
export const DeliveryFilter = {
  status: Type.Optional(oneOf(deliveryStatuses)),
  event_type: Type.Optional(oneOf(webhookEventTypes)),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
};

export const DeliveryReplayed = closed({
  delivery_id: idSchema('webhookDelivery'),
  replay_of: idSchema('webhookDelivery'),
  event_id: EventId,
  status: Type.Literal('pending'),
});

export const TestSent = closed({ event_id: EventId, delivery_id: idSchema('webhookDelivery') });
