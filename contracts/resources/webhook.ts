import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { AttemptTimings, attemptErrors, deliveryTriggers } from '../events/webhook-delivery.ts';
import { WebhookEnvelope } from '../webhooks/envelope.ts';
import { subscribableEventTypes, webhookEventTypes } from '../webhooks/event-types.ts';

const Subscription = Type.Array(oneOf(subscribableEventTypes), {
  minItems: 1,
  maxItems: subscribableEventTypes.length,
  uniqueItems: true,
});
const Description = nullable(Type.String({ maxLength: 500 }));

export const CreateWebhook = requestBody({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  events: Subscription,
  description: Type.Optional(Description),
});
export type CreateWebhook = Static<typeof CreateWebhook>;

/** The address of an endpoint never changes: register another one. */
export const UpdateWebhook = requestBody({
  events: Type.Optional(Subscription),
  description: Type.Optional(Description),
});
export type UpdateWebhook = Static<typeof UpdateWebhook>;

export const Webhook = closed({
  id: idSchema('webhook'),
  url: Type.String(),
  events: Type.Array(oneOf(subscribableEventTypes)),
  /** Not there when there is none. */
  description: Type.Optional(Type.String()),
  consecutive_failures: Type.Integer({ minimum: 0 }),
  /** Set once, when too many attempts in a row have failed: the endpoint gets nothing any more. */
  disabled_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  secret_created_at: Timestamp,
  /** While a rotation's grace lasts: until then both secrets sign. */
  previous_secret_expires_at: nullable(Timestamp),
});
export type Webhook = Static<typeof Webhook>;

/** The only answer that shows the signing secret of a new endpoint. */
export const IssuedWebhook = closed({ ...Webhook.properties, secret: Type.String() });
export type IssuedWebhook = Static<typeof IssuedWebhook>;

export const RotatedSecret = closed({ secret: Type.String(), previous_secret_expires_at: Timestamp });
export type RotatedSecret = Static<typeof RotatedSecret>;

const EventId = Type.String({ format: 'uuid' });

export const TestSent = closed({ event_id: EventId, delivery_id: idSchema('webhookDelivery') });
export type TestSent = Static<typeof TestSent>;

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

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
export type DeliveryReplayed = Static<typeof DeliveryReplayed>;

/** Everything that happened at or after `since`, and before `until` (by default, now). */
export const ReplayRange = requestBody({
  since: Timestamp,
  until: Type.Optional(Timestamp),
  /** By default what the endpoint subscribes to. */
  types: Type.Optional(Subscription),
  /** Only counts. */
  dry_run: Type.Optional(Type.Boolean()),
});
export type ReplayRange = Static<typeof ReplayRange>;

export const replayStatuses = ['running', 'completed', 'abandoned'] as const;

export const WebhookReplay = closed({
  kind: Type.Literal('replay'),
  id: idSchema('webhookReplay'),
  endpoint_id: idSchema('webhook'),
  status: oneOf(replayStatuses),
  since: Timestamp,
  until: Timestamp,
  types: nullable(Type.Array(oneOf(subscribableEventTypes))),
  /** Deliveries made so far. */
  scheduled: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
  completed_at: nullable(Timestamp),
});
export type WebhookReplay = Static<typeof WebhookReplay>;

/** What a replay would send, counted and not sent. */
export const ReplayForecast = closed({
  kind: Type.Literal('dry_run'),
  dry_run: Type.Literal(true),
  matching: Type.Integer({ minimum: 0 }),
  first_at: nullable(Timestamp),
  last_at: nullable(Timestamp),
});
export type ReplayForecast = Static<typeof ReplayForecast>;

export const ReplayAccepted = Type.Union([WebhookReplay, ReplayForecast], {
  discriminator: { propertyName: 'kind' },
});

export const EventsQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  /** The `next_cursor` of the page before; without it, from the account's first event. */
  after: Type.Optional(Type.String({ maxLength: 1024 })),
};

/** Oldest first and without gaps. `next_cursor` is never empty: ask again with it for what comes later. */
export const EventPage = closed({
  data: Type.Array(WebhookEnvelope),
  has_more: Type.Boolean(),
  next_cursor: Type.String(),
});
