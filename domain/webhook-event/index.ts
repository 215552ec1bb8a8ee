import { v5 as uuidv5 } from 'uuid';
import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { toId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { sessionErrors } from '../../contracts/operations.ts';
import type { EnvelopeType, WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';
import { autoDestroyReasons } from '../../contracts/webhooks/event-types.ts';

/** What the outside is told of an event, as a function of that event alone: the same for ever. */
export type Announced = SessionEvent | ApiKeyEvent | WebhookEndpointEvent;

type EnvelopeContent = {
  [Type in EnvelopeType]: Pick<Extract<WebhookEnvelope, { type: Type }>, 'type' | 'data'>;
}[EnvelopeType];

/** Any constant uuid: envelope ids derive from it and from their event's id. */
const namespace = '2f9d0f5e-6a1b-5c6e-8d3f-6f0b9f1c7a42';

export const envelopeIdOf = (eventId: string): string => uuidv5(eventId, namespace);

/** The envelope of an event that the outside is told of; undefined for any other. */
export function envelopeOf(eventId: string, event: Announced): WebhookEnvelope | undefined {
  const content = contentOf(event);
  if (content === undefined) return undefined;
  const { type, data } = content;
  // The literal is written out so that the fields stand in the contract's order in every body.
  return { id: envelopeIdOf(eventId), type, created_at: event.data.at, data } as WebhookEnvelope;
}

/** The bytes that are signed and sent. */
export const bodyOf = (envelope: WebhookEnvelope): string => JSON.stringify(envelope);

/** One delivery for each event, endpoint and cause: made again, it has the same id. */
export const deliveryIdOf = (envelopeId: string, webhookId: WebhookId, trigger: string): WebhookDeliveryId =>
  toId('webhookDelivery', uuidv5(`${envelopeId} ${webhookId} ${trigger}`, namespace));

function contentOf(event: Announced): EnvelopeContent | undefined {
  switch (event.type) {
    case 'SessionDestroyed':
      return completed(event.data);
    case 'SessionErrored': {
      const { sessionId, durationMs, operation, errorName } = event.data;
      const failure = { operation, error_name: errorName, error_message: sessionErrors[errorName] };
      return {
        type: 'session.failed',
        data: { session_id: sessionId, duration_ms: durationMs, ...failure },
      };
    }
    case 'EgressCapabilitiesReported': {
      const { sessionId, capabilities } = event.data;
      const data = { session_id: sessionId, egress_capabilities: capabilities };
      return { type: 'session.egress_capability_changed', data };
    }
    case 'ChallengeDetected': {
      const { sessionId, challengeId, challenge } = event.data;
      const data = { session_id: sessionId, challenge_id: challengeId, challenge };
      return { type: 'session.challenge_detected', data };
    }
    case 'ProfileSaveFailed': {
      const { sessionId, profileId, reason, detail } = event.data;
      const data = { session_id: sessionId, profile_id: profileId, reason, detail };
      return { type: 'session.profile_save_failed', data };
    }
    case 'ApiKeyRevoked': {
      const { apiKeyId, name, at } = event.data;
      return { type: 'api_key.revoked', data: { api_key_id: apiKeyId, name, revoked_at: at } };
    }
    case 'WebhookTestRequested':
      return ping(event.data);
    default:
      return undefined;
  }
}

type DataOf<Type extends Announced['type']> = Extract<Announced, { type: Type }>['data'];

/** A destroy that the customer asked for says nothing of its reason. */
function completed({ sessionId, durationMs, cause }: DataOf<'SessionDestroyed'>): EnvelopeContent {
  const data = { session_id: sessionId, duration_ms: durationMs };
  if (cause === 'customer') return { type: 'session.completed', data };
  return {
    type: 'session.completed',
    data: { ...data, auto_destroyed: true, reason: autoDestroyReasons[cause] },
  };
}

const ping = ({ webhookId, triggeredBy }: DataOf<'WebhookTestRequested'>): EnvelopeContent => ({
  type: 'test.ping',
  data: {
    message: 'This is a test of your webhook endpoint.',
    endpoint_id: webhookId,
    triggered_by_account_id: triggeredBy,
  },
});
