import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { Creator } from './creator.ts';
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

/** The address of an endpoint never changes: register another one. */
export const UpdateWebhook = requestBody({
  events: Type.Optional(Subscription),
  description: Type.Optional(Description),
});

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
  /** Not in the answer to a change. */
  created_by: Type.Optional(nullable(Creator)),
});
export type Webhook = Static<typeof Webhook>;

/** The only answer that shows the signing secret of a new endpoint. */
export const IssuedWebhook = closed({ ...Webhook.properties, secret: Type.String() });

export const RotatedSecret = closed({ secret: Type.String(), previous_secret_expires_at: Timestamp });

/** An endpoint as it is stored: the secret before the last rotation may have ended. */
type StoredWebhook = Omit<Webhook, 'description'> & { readonly description: string | null };

/** The previous secret is named only while it signs. */
export const presentWebhook = (webhook: StoredWebhook, now: Date): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  ...(webhook.description !== null && { description: webhook.description }),
  consecutive_failures: webhook.consecutive_failures,
  disabled_at: webhook.disabled_at,
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
  secret_created_at: webhook.secret_created_at,
  previous_secret_expires_at: ifAhead(webhook.previous_secret_expires_at, now),
  ...(webhook.created_by !== undefined && { created_by: webhook.created_by }),
});

const ifAhead = (time: string | null, now: Date): string | null =>
  time !== null && Date.parse(time) > now.getTime() ? time : null;
