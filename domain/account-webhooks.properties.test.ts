import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AccountWebhooksEvent } from '../contracts/events/webhook-endpoint.ts';
import { idOf, time } from './testing/arbitraries.ts';
import { deciderProperties } from './testing/decider-properties.ts';
import { accountWebhooks, type AccountWebhooks, type AccountWebhooksCommand } from './account-webhooks.ts';

const about = { accountId: idOf('account', 1), webhookId: idOf('webhook', 5), at: time };
const admit = fc.record({
  type: fc.constant('AdmitWebhook' as const),
  ...about,
  limit: fc.integer({ min: -1, max: 4 }),
});
const dismiss = fc.record({ type: fc.constant('DismissWebhook' as const), ...about });

describe('an account’s webhook endpoints under any sequence of commands', () => {
  const properties = deciderProperties<
    AccountWebhooks,
    AccountWebhooksCommand,
    AccountWebhooksEvent,
    'none' | 'some'
  >({
    decider: accountWebhooks,
    command: fc.oneof(admit, admit, dismiss),
    statusOf: ({ places }) => (places.length === 0 ? 'none' : 'some'),
    transitions: [
      ['none', 'WebhookAdmitted', 'some'],
      ['some', 'WebhookAdmitted', 'some'],
      ['some', 'WebhookDismissed', 'some'],
      ['some', 'WebhookDismissed', 'none'],
    ],
    invariant: ({ places }, command) => {
      if (command.type === 'AdmitWebhook') assert.ok(places.length <= command.limit, 'more than the cap');
      assert.equal(new Set(places.map(({ webhookId }) => webhookId)).size, places.length);
    },
  });
  for (const [sentence, check] of Object.entries(properties)) it(sentence, check);
});
