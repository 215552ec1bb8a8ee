import { webhookDeliveryEvents, type WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import type { Decider } from '../kit/decider.ts';
import type { WebhookDeliveryCommand } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { noDelivery, type WebhookDelivery } from './state.ts';

/** One event on its way to one endpoint: pending → retrying … → delivered, dead letter or cancelled. */
export const webhookDelivery: Decider<WebhookDelivery, WebhookDeliveryCommand, WebhookDeliveryEvent> = {
  category: webhookDeliveryEvents,
  initialState: noDelivery,
  decide,
  evolve,
};

export { isOpen, type ClosedDelivery, type OpenDelivery, type WebhookDelivery } from './state.ts';
export type * from './commands.ts';
