import assert from 'node:assert/strict';
import fc from 'fast-check';
import { subscribableEventTypes } from '../contracts/webhooks/event-types.ts';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { webhookReplay, type WebhookReplayCommand } from './webhook-replay.ts';

/** Two replays: a late command of one must not advance the other. */
const replayId = idOf('webhookReplay', 2);
const position = fc.option(fc.integer({ min: 1, max: 3 }).map((n) => `${n}00/${n}00`));
const request = fc.record({
  type: fc.constant('RequestReplay' as const),
  replayId,
  webhookId: idOf('webhook', 1),
  accountId: idOf('account', 1),
  since: time,
  until: time,
  types: fc.option(fc.subarray([...subscribableEventTypes])),
  at: time,
});
const advance = fc.record({
  type: fc.constant('AdvanceReplay' as const),
  replayId,
  from: position,
  upTo: position,
  scheduled: fc.nat(100),
  at: time,
});
const abandon = fc.record({
  type: fc.constant('AbandonReplay' as const),
  replayId,
  reason: fc.constantFrom('webhook_deleted' as const, 'webhook_disabled' as const),
  at: time,
});
const cancel = fc.record({ type: fc.constant('CancelReplay' as const), replayId, at: time });
const command: fc.Arbitrary<WebhookReplayCommand> = fc.oneof(
  { weight: 3, arbitrary: request },
  { weight: 9, arbitrary: advance },
  { weight: 1, arbitrary: abandon },
  { weight: 1, arbitrary: cancel },
);

describeDecider('the replay of a range under any sequence of commands', {
  decider: webhookReplay,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'ReplayRequested', 'running'],
    ['running', 'ReplayAdvanced', 'running'],
    ['running', 'ReplayCompleted', 'completed'],
    ['running', 'ReplayAbandoned', 'abandoned'],
    ['completed', 'ReplayRequested', 'running'],
    ['abandoned', 'ReplayRequested', 'running'],
  ],
  invariant: (state, each) => {
    assert.ok(state.status !== 'none' && state.replayId === each.replayId, 'another replay was moved');
    if (state.status !== 'running' || each.type !== 'AdvanceReplay') return;
    assert.equal(state.upTo, each.upTo);
    assert.ok(state.scheduled >= each.scheduled, 'a step was not added up');
  },
});
