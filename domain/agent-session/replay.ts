import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { Refusal } from '../../contracts/problems.ts';
import { byType, type ByType } from '../kit/decider.ts';
import { agentSession } from './agent-session.ts';
import type { AgentSessionCommand } from './commands.ts';
import type { AgentSession, Recorded } from './state.ts';

/** The first difference between log and rules. */
export interface Difference {
  /** Revision of the first event that differs. */
  readonly revision: number;
  readonly recorded: AgentSessionEvent | null;
  /** Null: the rules add no event there; a text: their refusal. */
  readonly decided: AgentSessionEvent | string | null;
}

/**
 * Runs the rules again on the recorded decisions and results, in their order, and compares the resulting events with the log.
 * Returns null if they are equal. Calls no provider and no browser.
 */
export function replay(events: readonly AgentSessionEvent[]): Difference | null {
  let state: AgentSession = agentSession.initialState;
  for (let revision = 0; revision < events.length;) {
    const decided = decideAgain(events.slice(revision), state);
    if (typeof decided === 'string') return { revision, recorded: events[revision] ?? null, decided };
    const parting = firstDifference(decided, events.slice(revision, revision + decided.length));
    if (parting !== undefined) {
      const at = revision + parting;
      return { revision: at, recorded: events[at] ?? null, decided: decided[parting] ?? null };
    }
    state = decided.reduce(agentSession.evolve, state);
    revision += decided.length;
  }
  return null;
}

/** Index of the first difference; 0 if the rules give no events. */
function firstDifference(
  decided: readonly AgentSessionEvent[],
  recorded: readonly AgentSessionEvent[],
): number | undefined {
  if (decided.length === 0) return 0;
  const index = decided.findIndex((event, place) => !isSameJson(event, recorded[place]));
  return index === -1 ? undefined : index;
}

/** Equality as JSON: the order of keys and undefined values are ignored. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const [entries, others] = [one, other].map((each) =>
    Object.entries(each).filter(([, value]) => value !== undefined),
  );
  const otherValues = new Map<string, unknown>(others);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    entries?.length === otherValues.size &&
    entries.every(([name, value]) => otherValues.has(name) && isSameJson(value, otherValues.get(name)))
  );
}

/** The rules' events for the command whose first event this is; a text if they refuse it. */
function decideAgain(
  events: readonly AgentSessionEvent[],
  state: AgentSession,
): readonly AgentSessionEvent[] | string {
  // The user's entry is recorded with the next step.
  const [step] = events[0]?.type === 'MessageRecorded' ? events.slice(1) : events;
  const command = step === undefined ? undefined : commandOf(step, appendedWith(step, events));
  if (command === undefined) return 'No command leads to this event by itself.';
  try {
    return agentSession.decide(command, state);
  } catch (error) {
    if (error instanceof Refusal) return `The rules refuse it: ${error.message}`;
    throw error;
  }
}

/** The events that may share an append with the step: consecutive ones of the same instant. */
function appendedWith(step: AgentSessionEvent, events: readonly AgentSessionEvent[]): Followers {
  const end = events.findIndex(({ data }) => data.at !== step.data.at);
  const ofTurn = end === -1 ? events : events.slice(0, end);
  const data = <Type extends AgentSessionEvent['type']>(type: Type): Recorded<Type> | undefined =>
    ofTurn.find((event): event is Extract<AgentSessionEvent, { type: Type }> => event.type === type)?.data as
      | Recorded<Type>
      | undefined;
  const [first] = events;
  const sealedMessage = first?.type === 'MessageRecorded' ? first.data.sealedMessage : null;
  return {
    ...(sealedMessage !== null && { sealedMessage }),
    withholdsMessage: first?.type !== 'MessageRecorded',
    sealedInterrupted: data('TurnSuperseded')?.sealedAnswer ?? '',
    heartbeatDueAt: data('TakeoverPromoted')?.heartbeatDueAt ?? step.data.at,
    sealedExhausted: data('TurnSettled')?.sealedAnswer ?? '',
    failure: failureOf(ofTurn[ofTurn.indexOf(step) + 1]),
  };
}

interface Followers {
  readonly sealedMessage?: string;
  readonly withholdsMessage: boolean;
  readonly sealedInterrupted: string;
  readonly heartbeatDueAt: string;
  readonly sealedExhausted: string;
  readonly failure: Extract<AgentSessionCommand, { readonly type: 'FailTurn' }>['failure'];
}

/** The failure in the next event, appended with the step or right after it; null if it has none. */
function failureOf(next: AgentSessionEvent | undefined): Followers['failure'] {
  if (next?.type !== 'ErrorRaised') return null;
  const { code, severity, summary, detail, customerActionable, retryable } = next.data;
  return { code, severity, summary, detail, customerActionable, retryable };
}

const commandOf = (step: AgentSessionEvent, followers: Followers): AgentSessionCommand | undefined =>
  byType<AgentSessionEvent, AgentSessionCommand, [Followers]>(commands, step, followers);

/** Types of events that are never the first one of a command. */
type Follower = 'MessageRecorded' | 'TakeoverPromoted' | 'HandbackPromoted';

/** By event type, the command whose first event it is. */
const commands: Omit<ByType<AgentSessionEvent, AgentSessionCommand, [Followers]>, Follower> = {
  AgentSessionCreated: (data) => ({ type: 'CreateAgentSession', ...data }),
  AgentSessionWithdrawn: (data) => ({ type: 'WithdrawAgentSession', ...data }),
  MessageLogged: (data, { sealedExhausted }) => ({
    type: 'AdmitMessage',
    ...data,
    sealedExhausted,
    leaseExpiresAt: data.at,
  }),
  TurnAdmitted: ({ sealedMessage, ...data }, { sealedExhausted }) => ({
    type: 'AdmitMessage',
    ...data,
    sealedMessage: sealedMessage ?? '',
    asksModel: sealedMessage === null,
    sealedExhausted,
  }),
  MessageWithdrawn: (data) => ({ type: 'WithdrawMessage', ...data }),
  TurnDecomposed: (data, followers) => ({ type: 'RecordDecomposition', ...data, ...followers }),
  DriverSessionSpawned: ({ turnId, ...data }, followers) =>
    turnId === undefined
      ? { type: 'StartDriverSession', ...data }
      : { type: 'SpawnDriverSession', ...data, turnId, ...followers },
  InitialUrlOpened: ({ turnId, ...data }, followers) =>
    turnId === undefined
      ? { type: 'StartAtInitialUrl', ...data }
      : { type: 'OpenInitialUrl', ...data, turnId, ...followers },
  IntentSettled: (data, followers) => ({ type: 'SettleIntent', ...data, ...followers }),
  TurnReadBack: (data, followers) => ({ type: 'RecordReadBack', ...data, ...followers }),
  TurnSettled: (data, followers) => ({ type: 'SettleTurn', ...data, ...followers }),
  TurnFailed: (data, followers) => ({ type: 'FailTurn', ...data, ...followers }),
  TurnSuperseded: (data, followers) => ({ type: 'ContinueTurn', ...data, ...followers }),
  TurnAbandoned: ({ at }, { heartbeatDueAt }) => ({
    type: 'AbandonTurn',
    leaseMs: 0,
    lastHeartbeatAt: null,
    heartbeatDueAt,
    at,
  }),
  DriverSessionLost: (data, { failure }) => ({
    type: 'LoseDriverSession',
    ...data,
    ...{ failure, endedAt: null },
  }),
  DrainAnnounced: (data) => ({ type: 'AnnounceDrain', ...data }),
  ErrorRaised: (data) => ({ type: 'RaiseError', ...data }),
  ModeChanged: (data) => ({ type: 'ChangeMode', ...data }),
  ScreenTakenOver: (data) => ({ type: 'TakeOverScreen', ...data }),
  TakeoverRequested: (data) => ({
    type: 'TakeOver',
    ...data,
    isPresent: true,
    heartbeatDueAt: data.heartbeatDueAt ?? data.at,
  }),
  TakeoverGranted: (data) => ({ type: 'GrantTakeover', ...data }),
  TakeoverExpired: ({ at }) => ({ type: 'ExpireHeartbeat', heartbeatMs: 0, lastHeartbeatAt: null, at }),
  PairModeTimedOut: ({ at }) => ({ type: 'ExpireHeartbeat', heartbeatMs: 0, lastHeartbeatAt: null, at }),
  HandbackRequested: ({ at }) => ({ type: 'HandBack', at }),
  HandbackCompleted: ({ at }) => ({ type: 'CompleteHandback', at }),
  AgentSessionPaused: (data) => ({ type: 'Pause', ...data }),
  ResumeRequested: (data) => ({ type: 'RequestResume', ...data }),
  ResumeExpired: ({ at }) => ({ type: 'ExpireResume', at }),
  AgentSessionResumed: (data) => ({ type: 'Resume', ...data }),
  BrowserChanged: (data) => ({ type: 'RecordBrowserChange', ...data }),
  LinkCreated: (data) => ({ type: 'CreateLink', ...data }),
  LinkUsed: (data) => ({ type: 'UseLink', ...data }),
  LinkRevoked: (data) => ({ type: 'RevokeLink', ...data }),
  AgentIdleTimeoutExtended: ({ usedAt, at }) => ({ type: 'EnforceIdleTimeout', lastUseAt: usedAt, at }),
  AgentSessionClosed: (data) => ({ type: 'Close', ...data }),
};
