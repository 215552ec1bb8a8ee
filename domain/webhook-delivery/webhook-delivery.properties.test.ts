import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attemptErrors } from '../../contracts/events/webhook-delivery.ts';
import { webhookEventTypes } from '../../contracts/webhooks/event-types.ts';
import { idOf, text, time } from '../testing/arbitraries.ts';
import { describeDecider } from '../testing/decider-properties.ts';
import { commands } from './testing.ts';
import {
  isOpen,
  webhookDelivery,
  type AttemptOutcome,
  type WebhookDelivery,
  type WebhookDeliveryCommand,
} from './webhook-delivery.ts';

const milliseconds = fc.option(fc.nat(10_000));
const timings = fc.record({
  resolveMs: milliseconds,
  connectMs: milliseconds,
  firstByteMs: milliseconds,
  totalMs: fc.nat(10_000),
});
const result: fc.Arbitrary<AttemptOutcome> = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 299 }).map((status) => success(status)) },
  {
    weight: 9,
    arbitrary: fc.record({
      outcome: fc.constant('failed' as const),
      responseStatus: fc.option(fc.integer({ min: 100, max: 999 })),
      error: fc.option(fc.constantFrom(...attemptErrors)),
    }),
  },
);
const success = (responseStatus: number): AttemptOutcome => ({ outcome: 'succeeded', responseStatus });

/** Two waits per round, so that rounds end within a run. */
const backoffMs = [60_000, 300_000];
const attempts = backoffMs.length + 1;

const schedule = fc
  .record({
    eventId: fc.uuid(),
    eventType: fc.constantFrom(...webhookEventTypes),
    body: text,
    trigger: fc.constantFrom('event' as const, 'replay' as const, 'test' as const),
    replayOf: fc.option(idOf('webhookDelivery')),
    replayId: fc.option(idOf('webhookReplay')),
    at: time,
  })
  .map(commands.ScheduleDelivery);
const record = fc
  .record({
    attempt: fc.integer({ min: 1, max: 2 * attempts + 1 }),
    result,
    timings,
    startedAt: time,
    jitter: fc.double({ min: -1, max: 1, noNaN: true }),
    at: time,
  })
  .map((fields) => commands.RecordAttempt({ ...fields, backoffMs }));
const scheduleAttempted = fc
  .record({ schedule, attempt: record })
  .map((fields) => commands.ScheduleAttempted(fields));
const cancel = fc
  .record({
    reason: fc.constantFrom('webhook_deleted', 'webhook_disabled', 'account_erased'),
    at: time,
  })
  .map(commands.CancelDelivery);
const requeue = time.map((at) => commands.RequeueDelivery({ at }));
const command: fc.Arbitrary<WebhookDeliveryCommand> = fc.oneof(
  { weight: 3, arbitrary: schedule },
  { weight: 1, arbitrary: scheduleAttempted },
  { weight: 30, arbitrary: record },
  { weight: 1, arbitrary: cancel },
  { weight: 4, arbitrary: requeue },
);

describeDecider('a delivery under any sequence of commands', {
  decider: webhookDelivery,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'DeliveryScheduled', 'pending'],
    ['pending', 'DeliverySucceeded', 'delivered'],
    ['pending', 'DeliveryAttemptFailed', 'retrying'],
    ['pending', 'DeliveryCancelled', 'cancelled'],
    ['retrying', 'DeliverySucceeded', 'delivered'],
    ['retrying', 'DeliveryAttemptFailed', 'retrying'],
    ['retrying', 'DeliveryDeadLettered', 'dead_letter'],
    ['retrying', 'DeliveryCancelled', 'cancelled'],
    ['dead_letter', 'DeliveryRequeued', 'pending'],
    ['cancelled', 'DeliverySucceeded', 'delivered'],
    ['cancelled', 'DeliveryAttemptFailed', 'cancelled'],
  ],
  invariant: (state, command) => {
    if (state.status === 'none') return;
    const made = state.attempts - state.attemptsBefore;
    assert.ok(made >= 0 && made <= attempts, `${made} attempts in one round`);
    assert.equal(made === attempts, state.status === 'dead_letter' || hasEndedLast(state, made));
    if (state.status === 'pending') assert.equal(made, 0);
    if (command.type !== 'RecordAttempt' || !isOpen(state)) return;
    const wait = Date.parse(state.dueAt) - Date.parse(command.at);
    const least = backoffMs[made - 1] ?? Infinity;
    assert.ok(wait >= least && wait <= 2 * least, `the next attempt is ${wait} ms away`);
  },
});

/** The last attempt of a round has succeeded, or failed after the delivery was cancelled. */
const hasEndedLast = (state: WebhookDelivery, made: number): boolean =>
  made === attempts &&
  (state.status === 'delivered' || (state.status === 'cancelled' && state.hasFailedLate === true));
