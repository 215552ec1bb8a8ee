import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';
import { Subscription } from './webhook-endpoint.ts';

/** Events from `since`, before `until` (default: now). */
export const ReplayRange = requestBody({
  since: Timestamp,
  until: Type.Optional(Timestamp),
  /** Default: the endpoint's subscription. */
  types: Type.Optional(Subscription),
  /** Returns only the count. */
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
  /** Deliveries scheduled so far. */
  scheduled: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
  completed_at: nullable(Timestamp),
});
export type WebhookReplay = Static<typeof WebhookReplay>;

/** The number of deliveries of a replay. */
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
