import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { Creator } from './creator.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';

/** Event types of a subscription, or of a replay's restriction. */
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

/** An endpoint's address is immutable: register another endpoint instead. */
export const UpdateWebhook = requestBody({
  events: Type.Optional(Subscription),
  description: Type.Optional(Description),
});

export const Webhook = closed({
  id: idSchema('webhook'),
  url: Type.String(),
  events: Type.Array(oneOf(subscribableEventTypes)),
  /** Absent if there is none. */
  description: Type.Optional(Type.String()),
  consecutive_failures: Type.Integer({ minimum: 0 }),
  /** Set once, after too many consecutive failures: the endpoint gets no more events. */
  disabled_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  secret_created_at: Timestamp,
  /** During a rotation's grace: until then both secrets sign. */
  previous_secret_expires_at: nullable(Timestamp),
  /** Absent in the answer to a change. */
  created_by: Type.Optional(nullable(Creator)),
});
export type Webhook = Static<typeof Webhook>;

/** The only answer that shows the signing secret of a new endpoint. */
export const IssuedWebhook = closed({ ...Webhook.properties, secret: Type.String() });

export const RotatedSecret = closed({ secret: Type.String(), previous_secret_expires_at: Timestamp });

/** A stored endpoint; its previous secret may have expired. */
type StoredWebhook = Omit<Webhook, 'description'> & { readonly description: string | null };

/** The previous secret's expiry is shown only until then. */
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
