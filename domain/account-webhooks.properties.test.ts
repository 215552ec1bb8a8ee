import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { accountWebhooks } from './account-webhooks.ts';

const about = { accountId: idOf('account', 1), id: idOf('webhook', 5), name: fc.constant(null), at: time };
const reserve = fc.record({
  type: fc.constant('Reserve' as const),
  ...about,
  limit: fc.integer({ min: -1, max: 4 }),
});
const release = fc.record({ type: fc.constant('Release' as const), ...about });

describeDecider('an account’s webhook endpoints under any sequence of commands', {
  decider: accountWebhooks,
  command: fc.oneof(reserve, reserve, release),
  statusOf: ({ reservations }) => (reservations.length === 0 ? 'none' : 'some'),
  transitions: [
    ['none', 'WebhookAdmitted', 'some'],
    ['some', 'WebhookAdmitted', 'some'],
    ['some', 'WebhookDismissed', 'some'],
    ['some', 'WebhookDismissed', 'none'],
  ],
  invariant: ({ reservations }, command) => {
    if (command.type === 'Reserve') assert.ok(reservations.length <= command.limit, 'more than the cap');
    assert.equal(new Set(reservations.map(({ id }) => id)).size, reservations.length);
  },
});
