import { accountEvents, emailEvents } from './account.ts';
import { accountSlotsEvents } from './account-slots.ts';
import { apiKeyEvents } from './api-key.ts';
import type { Category } from './catalogue.ts';
import { nodeEvents } from './node.ts';
import { receiptEvents } from './receipt.ts';
import { sessionEvents } from './session.ts';

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
  ].map((each) => [each.name, each as Category]),
);
