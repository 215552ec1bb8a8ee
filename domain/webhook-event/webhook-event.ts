import { v5 as uuidv5 } from 'uuid';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { announcedTypes } from '../../contracts/events/index.ts';
import { toId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import { envelopeIdOf, envelopeNamespace, type WebhookEnvelope } from '../../contracts/webhooks/envelope.ts';

/** The envelope of an event that its category announces; undefined for any other. The same event gives the same bytes. */
export function envelopeOf(eventId: string, { type, data }: DomainEvent): WebhookEnvelope | undefined {
  const content = announcedTypes[type]?.(data, eventId);
  return content && { id: envelopeIdOf(eventId), ...content };
}

/** The bytes that are signed and sent. */
export const bodyOf = (envelope: WebhookEnvelope): string => JSON.stringify(envelope);

/** Each event, endpoint and trigger has one delivery: its id is the same whenever and wherever it is computed. */
export const deliveryIdOf = (envelopeId: string, webhookId: WebhookId, trigger: string): WebhookDeliveryId =>
  toId('webhookDelivery', uuidv5(`${envelopeId} ${webhookId} ${trigger}`, envelopeNamespace));
