import { v5 as uuidv5 } from 'uuid';
import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { toId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import type { WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';
import { autoDestroyReasons } from '../../contracts/webhooks/event-types.ts';

/** The events of the streams that the outside is told of; of most of them it is told nothing. */
export type Announced = SessionEvent | ApiKeyEvent | WebhookEndpointEvent;

type DataOf = { readonly [Event in Announced as Event['type']]: Event['data'] };
type EventType = keyof DataOf;
type EventOf<Type extends EventType> = {
  [Each in Type]: { readonly type: Each; readonly data: DataOf[Each] };
}[Type];

/** An envelope but for its id. Its fields stand in the contract's order: the order of a body's bytes. */
type Content = WebhookEnvelope extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

/** What the outside is told of an event, as a function of that event alone: the same for ever. */
const contents: { readonly [Type in EventType]?: (data: DataOf[Type]) => Content } = {
  SessionDestroyed: ({ sessionId, durationMs, cause, at }) => ({
    type: 'session.completed',
    created_at: at,
    data: { session_id: sessionId, duration_ms: durationMs, ...unasked(cause) },
  }),
  SessionErrored: ({ sessionId, durationMs, operation, errorName, at }) => ({
    type: 'session.failed',
    created_at: at,
    data: {
      session_id: sessionId,
      duration_ms: durationMs,
      operation,
      error_name: errorName,
      error_message: sessionErrors[errorName],
    },
  }),
  ApiKeyRevoked: ({ apiKeyId, name, at }) => ({
    type: 'api_key.revoked',
    created_at: at,
    data: { api_key_id: apiKeyId, name, revoked_at: at },
  }),
  EgressCapabilitiesReported: ({ sessionId, capabilities, at }) => ({
    type: 'session.egress_capability_changed',
    created_at: at,
    data: { session_id: sessionId, egress_capabilities: capabilities },
  }),
  ChallengeDetected: ({ sessionId, challengeId, challenge, at }) => ({
    type: 'session.challenge_detected',
    created_at: at,
    data: { session_id: sessionId, challenge_id: challengeId, challenge },
  }),
  ProfileSaveFailed: ({ sessionId, profileId, reason, detail, at }) => ({
    type: 'session.profile_save_failed',
    created_at: at,
    data: { session_id: sessionId, profile_id: profileId, reason, detail },
  }),
  WebhookTestRequested: ({ webhookId, triggeredBy, at }) => ({
    type: 'test.ping',
    created_at: at,
    data: {
      message: 'This is a test of your webhook endpoint.',
      endpoint_id: webhookId,
      triggered_by_account_id: triggeredBy,
    },
  }),
};

type Cause = DataOf['SessionDestroyed']['cause'];

/** A destroy that the customer asked for says nothing of its reason: receivers test presence. */
const unasked = (cause: Cause) =>
  cause === 'customer' ? {} : { auto_destroyed: true as const, reason: autoDestroyReasons[cause] };

/** Any constant uuid: the ids of envelopes and deliveries derive from it. */
const namespace = '2f9d0f5e-6a1b-5c6e-8d3f-6f0b9f1c7a42';

export const envelopeIdOf = (eventId: string): string => uuidv5(eventId, namespace);

/** The envelope of an event that the outside is told of; undefined for any other. */
export function envelopeOf<Type extends EventType>(
  eventId: string,
  event: EventOf<Type>,
): WebhookEnvelope | undefined {
  const content = contents[event.type]?.(event.data);
  return content && { id: envelopeIdOf(eventId), ...content };
}

/** The bytes that are signed and sent. */
export const bodyOf = (envelope: WebhookEnvelope): string => JSON.stringify(envelope);

/** One delivery for each event, endpoint and cause: made again, it has the same id. */
export const deliveryIdOf = (envelopeId: string, webhookId: WebhookId, trigger: string): WebhookDeliveryId =>
  toId('webhookDelivery', uuidv5(`${envelopeId} ${webhookId} ${trigger}`, namespace));
