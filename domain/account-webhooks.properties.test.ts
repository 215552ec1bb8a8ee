import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { accountWebhooks } from './account-webhooks.ts';

const about = { accountId: idOf('account', 1), webhookId: idOf('webhook', 5), at: time };
const admit = fc.record({
  type: fc.constant('AdmitWebhook' as const),
  ...about,
  limit: fc.integer({ min: -1, max: 4 }),
});
const dismiss = fc.record({ type: fc.constant('DismissWebhook' as const), ...about });

describeDecider('an account’s webhook endpoints under any sequence of commands', {
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
