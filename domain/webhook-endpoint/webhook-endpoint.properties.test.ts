import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { subscribableEventTypes } from '../../contracts/webhooks/event-types.ts';
import { idOf, laterTime, text, time } from '../testing/arbitraries.ts';
import { describeDecider } from '../testing/decider-properties.ts';
import { commands, events } from './testing.ts';
import { signingSecrets } from './state.ts';
import { webhookEndpoint, type WebhookEndpointCommand } from './webhook-endpoint.ts';

const anyTime = fc.oneof(time, laterTime);
const secret = fc.record({
  secretId: fc.constantFrom('first', 'second', 'third', 'fourth'),
  sealed: text,
  remindAt: anyTime,
});
const subscribed = fc.subarray([...subscribableEventTypes]);
const description = fc.option(text);

const byType: Readonly<Record<WebhookEndpointCommand['type'], fc.Arbitrary<WebhookEndpointCommand>>> = {
  RegisterWebhook: fc
    .record({ url: text, events: subscribed, description, secret, at: time })
    .map(commands.RegisterWebhook),
  ChangeWebhook: fc
    .record({
      events: fc.option(subscribed, { nil: undefined }),
      description: fc.option(description, { nil: undefined }),
      at: time,
    })
    .map(commands.ChangeWebhook),
  RotateSecret: fc
    .record({ secret, graceEndsAt: anyTime, graceNoticeAt: time, at: anyTime })
    .map(commands.RotateSecret),
  RequestTest: fc
    .record({ testId: fc.constantFrom('one', 'other'), triggeredBy: idOf('account'), at: time })
    .map(commands.RequestTest),
  CountOutcomes: fc
    .record({
      outcomes: fc.array(
        fc.record({
          deliveryId: idOf('webhookDelivery'),
          attempt: fc.integer({ min: 1, max: 6 }),
          succeeded: fc.nat(3).map((dice) => dice === 0),
          position: fc.nat(30).map(BigInt),
        }),
        { maxLength: 3 },
      ),
      isIncomplete: fc.boolean(),
      disableAfter: fc.integer({ min: 1, max: 4 }),
      at: time,
    })
    .map(commands.CountOutcomes),
  DeleteWebhook: time.map((at) => commands.DeleteWebhook({ at })),
  WithdrawWebhook: time.map((at) => commands.WithdrawWebhook({ at })),
  MarkSecretAged: anyTime.map((at) => commands.MarkSecretAged({ at })),
  MarkGraceEnding: anyTime.map((at) => commands.MarkGraceEnding({ at })),
};
/** Commands that end the endpoint have little weight, so that most runs do not end early. */
const often = [byType.RegisterWebhook, byType.CountOutcomes, byType.RotateSecret, byType.MarkGraceEnding];
const command = fc.oneof(...Object.values(byType), ...often, ...often);

describeDecider('a webhook endpoint under any sequence of commands', {
  decider: webhookEndpoint,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'WebhookRegistered', 'active'],
    ['none', 'WebhookWithdrawn', 'none'],
    ['active', 'WebhookChanged', 'active'],
    ['active', 'WebhookSecretRotated', 'active'],
    ['active', 'WebhookTestRequested', 'active'],
    ['active', 'WebhookFailureCounted', 'active'],
    ['active', 'WebhookFailuresCleared', 'active'],
    ['active', 'WebhookSecretAged', 'active'],
    ['active', 'WebhookGraceEnding', 'active'],
    ['active', 'WebhookDisabled', 'disabled'],
    ['active', 'WebhookDeleted', 'deleted'],
    ['disabled', 'WebhookChanged', 'disabled'],
    ['disabled', 'WebhookDeleted', 'deleted'],
  ],
  invariant: (state, { at }) => {
    if (state.status === 'none') return;
    const signers = signingSecrets(state, new Date(at)).map(({ secretId }) => secretId);
    assert.ok(signers.length <= 2, 'more than two secrets sign');
    assert.equal(new Set(signers).size, signers.length, 'a secret signs twice');
    const { secret: newest, previousSecret } = state;
    if (previousSecret !== null) {
      const atItsEnd = signingSecrets(state, new Date(previousSecret.graceEndsAt));
      assert.deepStrictEqual(atItsEnd, [newest], 'a secret outlives its grace');
    }
    if (state.status !== 'deleted') assert.equal(state.disabledAt !== null, state.status === 'disabled');
  },
});

describe('a webhook endpoint', () => {
  it('is never active again once it was disabled, whatever its log contains', () => {
    const any = fc.constantFrom<WebhookEndpointEvent>(...Object.values(events).map((build) => build()));
    fc.assert(
      fc.property(fc.array(any), (after) => {
        const before = [events.WebhookRegistered(), events.WebhookDisabled()];
        const { status } = [...before, ...after].reduce(webhookEndpoint.evolve, webhookEndpoint.initialState);
        assert.notEqual(status, 'active');
      }),
    );
  });
});
