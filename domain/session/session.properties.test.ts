import assert from 'node:assert/strict';
import fc from 'fast-check';
import { failureCategories, operations, sessionErrorNames } from '../../contracts/operations.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import { idOf, laterTime, text, tier, time } from '../testing/arbitraries.ts';
import { describeDecider, type Transition } from '../testing/decider-properties.ts';
import { accountId, commands, sessionId } from './testing.ts';
import type { SessionCommand } from './session.ts';
import { session } from './session.ts';
import type { Session } from './state.ts';

type Status = Session['status'] | 'withdrawn';

/**
 * The contract's "Session status" table, and the transitions out of creating, which it leaves open: to errored and to destroyed.
 */
const transitions: readonly Transition<Status, SessionEvent['type']>[] = [
  ['none', 'SessionRequested', 'creating'],
  ['none', 'SessionWithdrawn', 'withdrawn'],
  ['creating', 'SessionReady', 'ready'],
  ['creating', 'SessionErrored', 'errored'],
  ['creating', 'SessionDestroyed', 'destroyed'],
  ['creating', 'EgressCapabilitiesReported', 'creating'],
  ['creating', 'ChallengeDetected', 'creating'],
  ['creating', 'ProfileSaveFailed', 'creating'],
  ['creating', 'DurationCapLifted', 'creating'],
  ['ready', 'DurationCapLifted', 'ready'],
  ['busy', 'DurationCapLifted', 'busy'],
  ['creating', 'IdleTimeoutExtended', 'creating'],
  ['ready', 'IdleTimeoutExtended', 'ready'],
  ['busy', 'IdleTimeoutExtended', 'busy'],
  ['ready', 'OperationClaimed', 'busy'],
  ['ready', 'SessionErrored', 'errored'],
  ['ready', 'SessionDestroyed', 'destroyed'],
  ['ready', 'EgressCapabilitiesReported', 'ready'],
  ['ready', 'ChallengeDetected', 'ready'],
  ['ready', 'ProfileSaveFailed', 'ready'],
  ['busy', 'OperationSettled', 'ready'],
  ['busy', 'SessionErrored', 'errored'],
  ['busy', 'SessionDestroyed', 'destroyed'],
  ['busy', 'EgressCapabilitiesReported', 'busy'],
  ['busy', 'ChallengeDetected', 'busy'],
  ['busy', 'ProfileSaveFailed', 'busy'],
  ['destroyed', 'ProfileSaveFailed', 'destroyed'],
  ['errored', 'ProfileSaveFailed', 'errored'],
];

const node = idOf('node', 2);
const dispatchId = fc.constantFrom('creation', 'first', 'second');
const operation = fc.constantFrom(...operations);
const settled = { dispatchId, epoch: fc.integer({ min: -1, max: 3 }), at: time };
const { capabilities } = commands.ReportEgress();
const metadata = fc
  .dictionary(text, fc.jsonValue(), { maxKeys: 3 })
  .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);
const request = fc.record({
  sessionId: fc.constant(sessionId),
  accountId: fc.constant(accountId),
  archetype: text,
  profileId: fc.option(idOf('profile', 2)),
  label: fc.option(text),
  metadata,
  tier,
  nodeId: fc.option(node, { freq: 10 }),
  dispatchId: fc.constant('creation'),
  leaseExpiresAt: fc.oneof(time, laterTime),
  expiresAt: fc.option(fc.oneof(time, laterTime)),
  at: time,
  idle: fc.record({ timeoutMs: fc.integer({ min: 5000, max: 3_600_000 }), dueAt: time }),
});

const byType: Readonly<Record<SessionCommand['type'], fc.Arbitrary<SessionCommand>>> = {
  RequestSession: request.map((each) => commands.RequestSession({ request: each })),
  WithdrawSession: time.map((at) => commands.WithdrawSession({ at })),
  CompleteCreation: fc
    .record({ dispatchId, egress: fc.constantFrom(null, capabilities), at: time })
    .map(commands.CompleteCreation),
  FailCreation: fc
    .record({ dispatchId, errorName: fc.constantFrom(...sessionErrorNames), at: time })
    .map(commands.FailCreation),
  ExpireCreationLease: time.map((at) => commands.ExpireCreationLease({ at })),
  ClaimOperation: fc.record({ operation, dispatchId, at: time }).map(commands.ClaimOperation),
  SettleOperation: fc
    .record({ ...settled, failure: fc.constantFrom(null, ...failureCategories) })
    .map(commands.SettleOperation),
  FailOperation: fc
    .record({ ...settled, reason: fc.constantFrom('driver_failure' as const, 'driver_silent' as const) })
    .map(commands.FailOperation),
  DestroySession: fc
    .record({ cause: fc.constantFrom('customer', 'suspension', 'idle', 'agent_session'), at: time })
    .map(commands.DestroySession),
  EnforceDurationCap: fc.record({ tier, at: fc.oneof(time, laterTime) }).map(commands.EnforceDurationCap),
  EnforceIdleTimeout: fc
    .record({ lastUseAt: fc.option(fc.oneof(time, laterTime)), at: fc.oneof(time, laterTime) })
    .map(commands.EnforceIdleTimeout),
  LoseBrowser: fc
    .record({
      nodeId: node,
      reason: fc.constantFrom('driver_failure' as const, 'node_lost' as const),
      at: time,
    })
    .map(commands.LoseBrowser),
  ReportEgress: fc.record({ nodeId: node, reportId: text, at: time }).map(commands.ReportEgress),
  ReportChallenge: fc.record({ nodeId: node, reportId: text, at: time }).map(commands.ReportChallenge),
  ReportProfileSave: fc.record({ nodeId: node, reportId: text, at: time }).map(commands.ReportProfileSave),
};
/** Rarely due, so that they have more weight too. */
const timers = [byType.EnforceDurationCap, byType.EnforceIdleTimeout];
/** More weight for these commands, so that most runs do not end early. */
const often = [byType.RequestSession, byType.CompleteCreation, byType.ClaimOperation, byType.SettleOperation];

describeDecider('a session under any sequence of commands', {
  decider: session,
  command: fc.oneof(...Object.values(byType), ...often, ...often, ...often, ...timers),
  statusOf: (state) => (state.status === 'none' && state.isWithdrawn ? 'withdrawn' : state.status),
  transitions,
  invariant: (state) => {
    if (state.status === 'none') return;
    assert.equal(state.claim !== null, state.status === 'busy');
    if (state.claim !== null) assert.equal(state.claim.epoch, state.epoch);
  },
});
