import { v5 as uuidv5 } from 'uuid';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { announcedTypes } from '../../contracts/events/index.ts';
import { toId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { envelopeIdOf, envelopeNamespace, type WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';

/** The envelope of an event that its category announces; undefined for any other. Deterministic to the byte. */
export function envelopeOf(eventId: string, { type, data }: DomainEvent): WebhookEnvelope | undefined {
  const content = announcedTypes[type]?.(data, eventId);
  return content && { id: envelopeIdOf(eventId), ...content };
}

/** The signed and sent bytes. */
export const bodyOf = (envelope: WebhookEnvelope): string => JSON.stringify(envelope);

/** One delivery per event, endpoint and trigger: the id is deterministic. */
export const deliveryIdOf = (envelopeId: string, webhookId: WebhookId, trigger: string): WebhookDeliveryId =>
  toId('webhookDelivery', uuidv5(`${envelopeId} ${webhookId} ${trigger}`, envelopeNamespace));
