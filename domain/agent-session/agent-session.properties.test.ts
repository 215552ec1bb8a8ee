import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toId } from '../../contracts/ids.ts';
import { idOf, laterTime, time } from '../testing/arbitraries.ts';
import { describeDecider } from '../testing/decider-properties.ts';
import { agentSession } from './agent-session.ts';
import { exists, type AgentSession } from './state.ts';
import { commands, uuid } from './testing.ts';

const turnId = fc.constantFrom(uuid(11), uuid(12));
const sessionId = idOf('session', 1);
const clientId = fc.constantFrom('a', 'b');
const challengeId = fc.constantFrom('chl_1', 'chl_2');
const mode = fc.constantFrom('ai', 'manual', 'pair');
const step = { turnId, at: time };
const anyTime = fc.oneof(time, laterTime);
const lastHeartbeatAt = fc.option(time);
const often = <Item>(count: number, item: fc.Arbitrary<Item>) => Array.from({ length: count }, () => item);

const admit = fc.record({ ...step, leaseExpiresAt: time }).map(commands.AdmitMessage);
const withheld = fc
  .record({ ...step, asksModel: fc.constant(true), leaseExpiresAt: time })
  .map(commands.AdmitMessage);
const changeMode = fc.record({ mode, at: time }).map(commands.ChangeMode);
const close = fc.record({ at: time }).map(commands.Close);
const continueTurn = fc.record(step).map(commands.ContinueTurn);

/** Invariant of any state, after any history. */
function invariant(after: AgentSession): void {
  if (!exists(after)) return;
  assert.equal(after.pair !== null, after.mode === 'pair');
  assert.equal(after.challenge !== null, after.status === 'paused');
  assert.equal(after.closedAt !== null, after.status === 'closed');
  if (after.turn !== null) assert.ok(after.turn.epoch <= after.epoch);
  // A queued request waits for a turn.
  if (after.turn === null) assert.ok(!after.pair?.kind.endsWith('-queued'), after.pair?.kind);
}

const attached = fc.record({ mode, attached: sessionId, at: time }).map(commands.CreateAgentSession);
const sameIn = <Status extends string, Type extends string>(statuses: readonly Status[], ...types: Type[]) =>
  types.flatMap((type) => statuses.map((status) => [status, type, status] as const));

describeDecider('the status of an agent session under any sequence of commands', {
  decider: agentSession,
  command: fc.oneof(
    ...often(3, attached),
    fc.record({ at: time }).map(commands.WithdrawAgentSession),
    ...often(2, changeMode),
    ...often(3, fc.record({ sessionId, challengeId, at: time }).map(commands.Pause)),
    ...often(
      2,
      fc
        .record({ challengeId: fc.option(challengeId), expiresAt: anyTime, at: time })
        .map(commands.RequestResume),
    ),
    ...often(2, fc.record({ at: anyTime }).map(commands.ExpireResume)),
    ...often(2, fc.record({ challengeId, at: time }).map(commands.Resume)),
    fc.record({ sessionId, at: time }).map(commands.LoseDriverSession),
    close,
  ),
  statusOf: ({ status }: AgentSession) => status,
  transitions: [
    ['none', 'AgentSessionCreated', 'active'],
    ['none', 'AgentSessionWithdrawn', 'withdrawn'],
    ['active', 'AgentSessionPaused', 'paused'],
    ['paused', 'AgentSessionPaused', 'paused'],
    ['paused', 'AgentSessionResumed', 'active'],
    ['active', 'AgentSessionClosed', 'closed'],
    ['paused', 'AgentSessionClosed', 'closed'],
    ...sameIn(['active'], 'ModeChanged'),
    ...sameIn(['paused'], 'ResumeRequested', 'ResumeExpired'),
    ...sameIn(['active', 'paused'], 'DriverSessionLost'),
  ],
  invariant,
});

const phases = ['decomposing', 'executing', 'settling'] as const;
const phaseOf = (state: AgentSession) => (exists(state) ? (state.turn?.phase ?? 'idle') : 'none');

describeDecider('the turns of an agent session under any sequence of commands', {
  decider: agentSession,
  command: fc.oneof(
    ...often(
      3,
      fc
        .record({ tokenBudget: fc.constantFrom(50, 10_000), opensInitialUrl: fc.boolean(), at: time })
        .map(commands.CreateAgentSession),
    ),
    ...often(5, admit),
    withheld,
    ...often(3, fc.record({ mode: fc.constantFrom('ai', 'manual'), at: time }).map(commands.ChangeMode)),
    continueTurn,
    ...often(
      4,
      fc
        .record({ ...step, intents: fc.nat(2) })
        .map((plan) => commands.RecordDecomposition({ ...plan, after: plan.intents === 1 ? 'look' : null })),
    ),
    ...often(2, fc.record({ ...step, sessionId }).map(commands.SpawnDriverSession)),
    ...often(2, fc.record({ ...step, sessionId }).map(commands.OpenInitialUrl)),
    ...often(
      4,
      fc
        .record({ ...step, index: fc.nat(1), outcome: fc.constantFrom('success', 'failure') })
        .map(commands.SettleIntent),
    ),
    ...often(2, fc.record(step).map(commands.RecordReadBack)),
    fc.record(step).map(commands.SettleTurn),
    fc.record(step).map(commands.FailTurn),
    fc.record({ lastHeartbeatAt, at: laterTime }).map(commands.AbandonTurn),
  ),
  statusOf: phaseOf,
  transitions: [
    ['none', 'AgentSessionCreated', 'idle'],
    ['idle', 'MessageLogged', 'idle'],
    ['idle', 'TurnAdmitted', 'decomposing'],
    ['decomposing', 'TurnDecomposed', 'executing'],
    ['decomposing', 'TurnDecomposed', 'settling'],
    ['executing', 'IntentSettled', 'executing'],
    ['executing', 'IntentSettled', 'decomposing'],
    ['executing', 'IntentSettled', 'settling'],
    ...phases.flatMap((phase) =>
      (['TurnSettled', 'TurnFailed', 'TurnSuperseded', 'TurnAbandoned'] as const).map(
        (type) => [phase, type, 'idle'] as const,
      ),
    ),
    ['decomposing', 'MessageRecorded', 'decomposing'],
    ...sameIn(phases, 'DriverSessionSpawned', 'InitialUrlOpened', 'TurnReadBack', 'MessageLogged'),
    ...sameIn(['idle', ...phases], 'ModeChanged'),
    ...sameIn(['idle'], 'ErrorRaised', 'DriverSessionLost', 'AgentSessionClosed'),
  ],
  invariant,
});

describeDecider('the withdrawn messages of an agent session under any sequence of commands', {
  decider: agentSession,
  command: fc.oneof(
    fc.record({ at: time }).map(commands.CreateAgentSession),
    ...often(2, admit),
    fc.record(step).map(commands.WithdrawMessage),
    fc.record(step).map(commands.SettleTurn),
    close,
  ),
  statusOf: phaseOf,
  transitions: [
    ['none', 'AgentSessionCreated', 'idle'],
    ['idle', 'TurnAdmitted', 'decomposing'],
    ['decomposing', 'TurnSettled', 'idle'],
    ['decomposing', 'TurnSuperseded', 'idle'],
    ...sameIn(['idle', 'decomposing'], 'MessageWithdrawn', 'AgentSessionClosed'),
  ],
  invariant,
});

const participant = fc.constantFrom(`customer-${uuid(8)}`, `customer-${uuid(9)}`);
const spawnedId = fc.constantFrom(toId('session', uuid(2)), toId('session', uuid(3)));
const browserOf = (state: AgentSession) =>
  exists(state) ? (state.browser === null ? 'absent' : 'present') : 'none';

describeDecider('the browser of an agent session under any sequence of what people do', {
  decider: agentSession,
  command: fc.oneof(
    fc.record({ mode, opensInitialUrl: fc.boolean(), at: time }).map(commands.CreateAgentSession),
    ...often(3, fc.record({ sessionId: spawnedId, at: time }).map(commands.StartDriverSession)),
    ...often(2, fc.record({ sessionId: spawnedId, at: time }).map(commands.StartAtInitialUrl)),
    fc
      .record({ sessionId: spawnedId, cause: fc.constantFrom('ended', 'refused'), at: time })
      .map(commands.LoseDriverSession),
    fc.record({ sessionId: spawnedId, endsBy: fc.option(time), at: time }).map(commands.AnnounceDrain),
    fc.record({ participant, at: time }).map(commands.TakeOverScreen),
    changeMode,
    close,
  ),
  statusOf: browserOf,
  transitions: [
    ['none', 'AgentSessionCreated', 'absent'],
    ['absent', 'DriverSessionSpawned', 'present'],
    ['present', 'InitialUrlOpened', 'present'],
    ['present', 'DrainAnnounced', 'present'],
    ['present', 'DriverSessionLost', 'absent'],
    ...sameIn(['absent', 'present'], 'ModeChanged', 'ScreenTakenOver', 'AgentSessionClosed'),
  ],
  invariant,
});

type PairStatus = 'none' | 'off' | NonNullable<Extract<AgentSession, { pair: unknown }>['pair']>['kind'];
const pairOf = (state: AgentSession): PairStatus => (exists(state) ? (state.pair?.kind ?? 'off') : 'none');
/** Without a handback during a turn: no turn is admitted while a person drives. */
const reached = [
  'ai-driving',
  'takeover-pending',
  'takeover-queued',
  'human-driving',
  'handback-pending',
] as const;

describeDecider('the pair mode of an agent session under any sequence of commands', {
  decider: agentSession,
  command: fc.oneof(
    ...often(3, fc.record({ mode: fc.constant('pair'), at: time }).map(commands.CreateAgentSession)),
    ...often(2, admit),
    ...often(2, continueTurn),
    ...often(3, fc.record({ clientId, at: time }).map(commands.TakeOver)),
    ...often(
      3,
      fc.record({ clientId, participant, isPresent: fc.boolean(), at: time }).map(commands.TakeOver),
    ),
    fc.record({ lastHeartbeatAt, at: laterTime }).map(commands.ExpireHeartbeat),
    ...often(2, fc.record({ clientId, at: time }).map(commands.GrantTakeover)),
    ...often(2, fc.record({ at: time }).map(commands.HandBack)),
    fc.record({ clientId, at: time }).map(commands.HandBack),
    fc.record({ at: time }).map(commands.CompleteHandback),
    fc.record({ mode: fc.constantFrom('pair', 'pair', 'ai'), at: time }).map(commands.ChangeMode),
  ),
  statusOf: pairOf,
  transitions: [
    ['none', 'AgentSessionCreated', 'ai-driving'],
    ['ai-driving', 'TakeoverRequested', 'takeover-pending'],
    ['ai-driving', 'TakeoverRequested', 'takeover-queued'],
    ['takeover-queued', 'TakeoverPromoted', 'takeover-pending'],
    ...sameIn(['takeover-pending', 'takeover-queued'], 'TakeoverRequested'),
    ['human-driving', 'TakeoverRequested', 'takeover-pending'],
    ['takeover-pending', 'TakeoverExpired', 'ai-driving'],
    ['takeover-pending', 'TakeoverGranted', 'human-driving'],
    ['human-driving', 'PairModeTimedOut', 'ai-driving'],
    ['human-driving', 'HandbackRequested', 'handback-pending'],
    ['handback-pending', 'HandbackCompleted', 'ai-driving'],
    ['off', 'ModeChanged', 'ai-driving'],
    ...reached.map((kind) => [kind, 'ModeChanged', 'off'] as const),
    ...sameIn(['off', 'ai-driving'], 'TurnAdmitted', 'TurnSuperseded'),
    ...sameIn(['takeover-queued'], 'TurnSuperseded'),
  ],
  invariant,
});
