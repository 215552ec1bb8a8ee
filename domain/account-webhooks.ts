import { accountWebhooksEvents, type AccountWebhooksEvent } from '../contracts/events/webhook-endpoint.ts';
import { toId, uuidOf } from '../contracts/ids.ts';
import { quota } from './kit/quota.ts';

/** The account's quota of webhook endpoints. An endpoint is registered only after its quota is reserved here. */
export const accountWebhooks = {
  ...quota<string, AccountWebhooksEvent>({
    category: accountWebhooksEvents,
    toEvent: ({ type, data: { accountId, id, at } }) => ({
      type: type === 'Reserved' ? 'WebhookAdmitted' : 'WebhookDismissed',
      data: { accountId, webhookId: toId('webhook', uuidOf(id)), at },
    }),
    changeOf: ({ type, data: { accountId, webhookId, at } }) => ({
      type: type === 'WebhookAdmitted' ? 'Reserved' : 'Released',
      data: { accountId, id: webhookId, name: null, at },
    }),
    limitReached: (limit) => `An account may have ${limit} webhook endpoints. Delete one it no longer needs.`,
  }),
  stateVersion: 2,
};
