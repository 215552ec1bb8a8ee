import { accountEvents, emailEvents } from './account.ts';
import { accountSlotsEvents } from './account-slots.ts';
import { apiKeyEvents } from './api-key.ts';
import type { Category } from './catalogue.ts';
import { nodeEvents } from './node.ts';
import { receiptEvents } from './receipt.ts';
import { mailEvents } from './mail.ts';
import { sessionEvents } from './session.ts';
import { webhookDeliveryEvents } from './webhook-delivery.ts';
import { accountWebhooksEvents, webhookEndpointEvents } from './webhook-endpoint.ts';
import { webhookReplayEvents } from './webhook-replay.ts';

/** Every stream category of the service, by the prefix of its streams. */
export const categories: Readonly<Record<string, Category>> = Object.fromEntries(
  [
    sessionEvents,
    accountSlotsEvents,
    accountEvents,
    emailEvents,
    apiKeyEvents,
    receiptEvents,
    nodeEvents,
    webhookEndpointEvents,
    accountWebhooksEvents,
    webhookDeliveryEvents,
    webhookReplayEvents,
    mailEvents,
  ].map((each) => [each.name, each as Category]),
);
