import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';

/** What an endpoint may subscribe to, and what a replay may be limited to. */
export const Subscription = Type.Array(oneOf(subscribableEventTypes), {
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
