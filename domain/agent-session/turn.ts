import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Rules } from '../kit/decider.ts';
import { tooLate } from '../kit/record.ts';
import { isBefore } from '../kit/time.ts';
import type { Failure, IfSuperseded, Settlement, TurnCommand } from './commands.ts';
import { active, driverSessionEnded, sessionFields, present } from './guards.ts';
import { exists, isQueued, type AgentSession, type ExistingAgentSession, type Turn } from './state.ts';

type Events = readonly AgentSessionEvent[];

export const turnRules: Rules<AgentSession, TurnCommand, AgentSessionEvent> = {
  AdmitMessage(state, { turnId, sealedMessage, asksModel = false, sealedExhausted, leaseExpiresAt, at }) {
    const session = active(state);
    if (session.latestTurnId === turnId) return [];
    if (isWithdrawn(session, turnId)) throw tooLate();
    const entry = { ...sessionFields(session, at), turnId, entryIndex: session.entries, sealedMessage };
    if (session.mode === 'manual') return [{ type: 'MessageLogged', data: entry }];
    assertAgentInControl(session);
    const { epoch } = session;
    const isExhausted = session.tokensUsed >= session.tokenBudget;
    const withheld = asksModel && !isExhausted && { entryIndex: null, sealedMessage: null };
    const admitted = {
      type: 'TurnAdmitted',
      data: { ...entry, ...withheld, epoch, leaseExpiresAt },
    } as const;
    if (!isExhausted) return [admitted];
    const refused = {
      kind: 'refuse',
      ok: false,
      limit: null,
      entryIndex: session.entries + 1,
      sealedAnswer: sealedExhausted,
    } as const;
    return [
      admitted,
      { type: 'TurnSettled', data: { ...sessionFields(session, at), turnId, ...refused } },
      {
        type: 'AgentSessionClosed',
        data: { ...sessionFields(session, at), reason: 'budget-exhausted', epoch: epoch + 1 },
      },
    ];
  },
  /** A closed session admits no message anyway. */
  WithdrawMessage(state, { turnId, at }) {
    const session = present(state);
    if (session.status === 'closed' || session.latestTurnId === turnId || isWithdrawn(session, turnId))
      return [];
    return [{ type: 'MessageWithdrawn', data: { ...sessionFields(session, at), turnId } }];
  },
  ContinueTurn: (state, command) => step(state, command, () => []),
  RecordDecomposition: (state, command) =>
    step(state, command, ({ turn }, ofTurn) => {
      const { round, decision, intents, after, sealedPlan, usage, tokens } = command;
      if (turn?.phase !== 'decomposing' || round !== turn.rounds + 1) return [];
      const decomposed = { round, decision, intents, after, sealedPlan, usage, tokens };
      return [{ type: 'TurnDecomposed', data: { ...ofTurn, ...decomposed } }];
    }),
  SpawnDriverSession: (state, command) =>
    stepUnlessSuperseded(state, command, (session, ofTurn) => {
      const { sessionId } = command;
      return session.browser === null
        ? [{ type: 'DriverSessionSpawned', data: { ...ofTurn, sessionId } }]
        : [];
    }),
  OpenInitialUrl: (state, command) =>
    stepUnlessSuperseded(state, command, (session, ofTurn) => {
      const { sessionId } = command;
      return session.awaitsInitialUrl ? [{ type: 'InitialUrlOpened', data: { ...ofTurn, sessionId } }] : [];
    }),
  SettleIntent: (state, command) =>
    step(
      state,
      command,
      ({ turn }, ofTurn) => {
        const { index, outcome, category, endsRound, sealedResult } = command;
        if (turn?.phase !== 'executing' || index !== turn.settled) return [];
        const settling = { index, outcome, category, ...(endsRound && { endsRound }), sealedResult };
        return [{ type: 'IntentSettled', data: { ...ofTurn, ...settling } }];
      },
      ({ entries }, ofTurn) => (command.settles ? [settled(entries, ofTurn, command.settles)] : []),
    ),
  RecordReadBack: (state, command) =>
    step(state, command, ({ turn }, ofTurn) => {
      const { usage, tokens } = command;
      if (turn?.hasReadBack !== false) return [];
      return [{ type: 'TurnReadBack', data: { ...ofTurn, usage, tokens } }];
    }),
  SettleTurn: (state, command) =>
    stepUnlessSuperseded(state, command, ({ entries }, ofTurn) => [settled(entries, ofTurn, command)]),
  FailTurn: (state, command) =>
    stepUnlessSuperseded(state, command, (session, ofTurn) => {
      const { problem, sealedAnswer, failure, at } = command;
      const failed = { ...ofTurn, problem, entryIndex: session.entries, sealedAnswer };
      return [
        { type: 'TurnFailed', data: failed },
        ...(failure === null ? [] : [errorRaised(session, failure, at)]),
      ];
    }),
  AbandonTurn(state, { leaseMs, lastHeartbeatAt, heartbeatDueAt, at }) {
    if (!exists(state) || state.turn === null) return [];
    const { turnId, phase, leaseExpiresAt } = state.turn;
    const isAlive = lastHeartbeatAt !== null && Date.parse(at) < Date.parse(lastHeartbeatAt) + leaseMs;
    if (isBefore(at, leaseExpiresAt) || isAlive) return [];
    const message = owedMessage(state, state.turn, { at });
    const abandoned = {
      ...sessionFields(state, at),
      turnId,
      phase,
      entryIndex: state.entries + message.length,
    };
    return [
      ...message,
      { type: 'TurnAbandoned', data: abandoned },
      errorRaised(state, turnLost, at),
      ...givenUp(state, at),
      ...promoted(state, at, heartbeatDueAt),
    ];
  },
};

const isWithdrawn = ({ withdrawnTurnIds = [] }: ExistingAgentSession, turnId: string): boolean =>
  withdrawnTurnIds.includes(turnId);

/** Gives up the browser that the agent session started: after an abandoned turn its state is unknown. */
function givenUp({ browser, status, ...session }: ExistingAgentSession, at: string): Events {
  if (browser?.origin !== 'spawned' || status === 'closed') return [];
  const data = { ...sessionFields(session, at), sessionId: browser.sessionId, cause: 'turn_lost' } as const;
  return [{ type: 'DriverSessionLost', data }];
}

const turnLost: Failure = {
  code: 'turn_lost',
  severity: 'error',
  summary: 'The process that ran a turn is gone.',
  detail: 'It is unknown whether the step in progress took effect. The step is not repeated.',
  customerActionable: true,
  retryable: false,
};

export const errorRaised = (
  session: ExistingAgentSession,
  failure: Failure,
  at: string,
): AgentSessionEvent => ({
  type: 'ErrorRaised',
  data: { ...sessionFields(session, at), ...failure },
});

/** Refuses a message while the controls are not the agent's, or a turn is under way. */
function assertAgentInControl({ turn, pair, browser }: ExistingAgentSession): void {
  if (pair !== null && pair.kind !== 'ai-driving')
    throw refuse('conflict', 'A person has the controls, or has asked for them.', {
      ai_control_unavailable: true,
    });
  if (turn !== null)
    throw refuse('conflict', 'The previous turn has not ended. Send the message again once it has.', {
      phase: turn.phase,
    });
  if (browser?.ended) throw driverSessionEnded(browser.sessionId);
}

type OfTurn = ReturnType<typeof sessionFields> & { readonly turnId: string };
type Recording = (session: ExistingAgentSession, ofTurn: OfTurn) => Events;
type StepCommand = { readonly turnId: string; readonly at: string } & IfSuperseded;

const settled = (
  entryIndex: number,
  ofTurn: OfTurn,
  { kind, ok, limit, sealedAnswer }: Settlement,
): AgentSessionEvent => ({
  type: 'TurnSettled',
  data: { ...ofTurn, kind, ok, limit, entryIndex, sealedAnswer },
});

/** The events of a step. After a change of control the turn ends with them; otherwise the events of `goOn` follow. */
const step = (state: AgentSession, command: StepCommand, record: Recording, goOn?: Recording): Events =>
  advanced(state, command, { record, isDone: true, ...(goOn && { goOn }) });

/** A step that is skipped after a change of control. */
const stepUnlessSuperseded = (state: AgentSession, command: StepCommand, record: Recording): Events =>
  advanced(state, command, { record, isDone: false });

/** `isDone`: the recorded effect has happened, so it is recorded even after a change of control. */
function advanced(
  state: AgentSession,
  command: StepCommand,
  {
    record,
    isDone,
    goOn,
  }: { readonly record: Recording; readonly isDone: boolean; readonly goOn?: Recording },
): Events {
  const before = present(state);
  const turn = current(before, command.turnId);
  const message = owedMessage(before, turn, command);
  const session = { ...before, entries: before.entries + message.length };
  const isSuperseded = turn.epoch !== session.epoch;
  const ofTurn = { ...sessionFields(session, command.at), turnId: turn.turnId };
  const events = isSuperseded && !isDone ? [] : record(session, ofTurn);
  if (isSuperseded) return [...message, ...events, ...superseded(session, turn, command)];
  if (events.length === 0) return [];
  const whole = [...events, ...(goOn?.(session, ofTurn) ?? [])];
  return command.withholdsMessage && !whole.some(endsTurn) ? whole : [...message, ...whole];
}

const ends: ReadonlySet<AgentSessionEvent['type']> = new Set<AgentSessionEvent['type']>([
  'TurnSettled',
  'TurnFailed',
]);
const endsTurn = ({ type }: AgentSessionEvent): boolean => ends.has(type);

/** The user's entry, if it was not recorded at admission; it precedes the entry that ends the turn. */
function owedMessage(
  session: ExistingAgentSession,
  { turnId, owesMessage }: Turn,
  { at, sealedMessage }: Pick<StepCommand, 'at' | 'sealedMessage'>,
): Events {
  if (!owesMessage) return [];
  return [
    {
      type: 'MessageRecorded',
      data: {
        ...{ ...sessionFields(session, at), turnId, entryIndex: session.entries },
        sealedMessage: sealedMessage ?? null,
      },
    },
  ];
}

function current({ turn }: ExistingAgentSession, turnId: string): Turn {
  if (turn?.turnId === turnId) return turn;
  throw refuse('conflict', 'The turn was abandoned: its process sent no heartbeat in time.', {
    ai_control_unavailable: true,
  });
}

function superseded(
  session: ExistingAgentSession,
  { turnId, phase }: Turn,
  { at, sealedInterrupted, heartbeatDueAt }: StepCommand,
): Events {
  const entry = { entryIndex: session.entries, sealedAnswer: sealedInterrupted };
  const data = { ...sessionFields(session, at), turnId, phase, cause: session.control ?? 'close', ...entry };
  return [{ type: 'TurnSuperseded', data }, ...promoted(session, at, heartbeatDueAt)];
}

/** Promotes the queued takeover or handback. */
function promoted(session: ExistingAgentSession, at: string, heartbeatDueAt: string): Events {
  const { pair, status } = session;
  if (status === 'closed' || !isQueued(pair)) return [];
  if (pair.kind === 'handback-queued')
    return [{ type: 'HandbackPromoted', data: sessionFields(session, at) }];
  const { clientId } = pair;
  if (clientId === null) return [];
  return [{ type: 'TakeoverPromoted', data: { ...sessionFields(session, at), clientId, heartbeatDueAt } }];
}
