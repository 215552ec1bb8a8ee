import { Count, Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { failureCategories } from '../operations.ts';
import { problems, type ProblemSlug } from '../problems.ts';
import { agentModes, errorSeverities, type Geolocation } from '../resources/agent-session.ts';
import { linkRights } from '../resources/link.ts';
import { turnLimits, turnPhases } from '../resources/agent-turn.ts';
import { ParticipantIdentity } from '../resources/pair-mode.ts';
import { IdleTimeout, category, entryOn, timersOn, type AuditedAction, type EventOf } from './catalogue.ts';

const of = { agentSessionId: idSchema('agentSession'), accountId: idSchema('account'), at: Timestamp };
const turnId = Type.String({ format: 'uuid' });
const ofTurn = { ...of, turnId };
/** The turn; absent for a person who joined. */
const ofAnyone = { ...of, turnId: Type.Optional(turnId) };
const sessionId = idSchema('session');
const timer = timersOn('agentSessionId');
const onAgentSession = entryOn('agent_session');
const entry = (verb: string, id: string, payload: AuditedAction['payload'] = {}) =>
  onAgentSession(`agent_session.${verb}`, id, { agent_session_id: id, ...payload });
/** JSON sealed with the account's data key; see `sealedFields`. */
const Sealed = Type.String();
/** Index in the transcript, from 0, without gaps. */
const entryIndex = Count;
/** Number of changes of control. A turn admitted under an older epoch commits nothing more. */
const epoch = Type.Integer({ minimum: 1 });

/** What decides on a message: the grammar, or a model with the account's own key or the service's. */
export const decomposerKinds = ['deterministic', 'own_key', 'bundled'] as const;

/** Usage of one call of a decomposer. */
export const TurnUsage = closed({
  decomposerKind: oneOf(decomposerKinds),
  model: nullable(Type.String()),
  inputTokens: nullable(Count),
  outputTokens: nullable(Count),
  costCents: nullable(Count),
});
export type TurnUsage = Static<typeof TurnUsage>;

export const controlChanges = ['takeover', 'handback', 'mode', 'pause', 'close'] as const;
export type ControlChange = (typeof controlChanges)[number];

/** The context of each sealed field, so that no event can use another's value. */
export const sealedFields = {
  start: (agentSessionId: string) => `agent start ${agentSessionId}`,
  message: (turnId: string) => `agent message ${turnId}`,
  answer: (turnId: string) => `agent answer ${turnId}`,
  plan: (turnId: string, round: number) => `agent plan ${turnId}${round === 1 ? '' : ` ${round}`}`,
  result: (turnId: string, index: number) => `agent result ${turnId} ${index}`,
} as const;

/** The content of `sealedStart`. */
export interface SealedStart {
  readonly initial_url?: string | undefined;
  readonly geolocation?: Geolocation | undefined;
}

/** `agent_session-<uuid>`: a conversation, the control of its browser, and the actions there. */
export const agentSessionEvents = category(
  'agent_session',
  {
    AgentSessionCreated: closed({
      ...of,
      mode: oneOf(agentModes),
      model: Type.String(),
      tokenBudget: Type.Integer({ minimum: 1 }),
      /** The account of the person behind the credential. */
      createdBy: nullable(idSchema('account')),
      /** The driver session that the request attached. */
      attached: nullable(sessionId),
      profileId: nullable(idSchema('profile')),
      proxyId: nullable(idSchema('proxy')),
      /** A `SealedStart`. */
      sealedStart: nullable(Sealed),
      opensInitialUrl: Type.Boolean(),
      idle: IdleTimeout,
    }),
    /** Not created in time, and never can be: the hold of its driver session may be released. */
    AgentSessionWithdrawn: closed(of),
    /** In manual mode a message is only added to the transcript. */
    MessageLogged: closed({ ...ofTurn, entryIndex, sealedMessage: Sealed }),
    /** Without the user's entry if a model has to mark the message's secret words first: see `MessageRecorded`. */
    TurnAdmitted: closed({
      ...ofTurn,
      entryIndex: nullable(entryIndex),
      sealedMessage: nullable(Sealed),
      epoch,
      /** When the turn counts as lost, unless its process has sent a heartbeat since. */
      leaseExpiresAt: Timestamp,
    }),
    /** The user's entry, if it was not recorded at admission. Null: it was lost with the process. */
    MessageRecorded: closed({ ...ofTurn, entryIndex, sealedMessage: nullable(Sealed) }),
    /** A late request does not admit the message from now on: its idempotency key may be given to another request. */
    MessageWithdrawn: closed(ofTurn),
    TurnDecomposed: closed({
      ...ofTurn,
      /** Counted from 1. */
      round: Type.Integer({ minimum: 1 }),
      decision: oneOf(['plan', 'clarify', 'refuse', 'answer']),
      /** Number of intents in the plan. */
      intents: Count,
      /**
       * Whether the page is observed again after they have succeeded; it always is after a failure. Null: no further round is
       * possible.
       */
      after: nullable(oneOf(['done', 'look'])),
      /** A `Plan`, without texts of sensitive actions. */
      sealedPlan: Sealed,
      usage: TurnUsage,
      /** Tokens taken from the session's budget. */
      tokens: Count,
    }),
    /** The driver session is about to be started under this id. */
    DriverSessionSpawned: closed({ ...ofAnyone, sessionId }),
    /** The driver session has ended, was never started, or was given up with its turn. */
    DriverSessionLost: closed({ ...of, sessionId, cause: oneOf(['ended', 'refused', 'turn_lost']) }),
    /** The node of the driver session drains. `endsBy`: when it stops at the latest; null if it waits until its sessions have ended. */
    DrainAnnounced: closed({ ...of, sessionId, endsBy: nullable(Timestamp) }),
    /** Appended before it is opened, so that it is opened at most once. */
    InitialUrlOpened: closed({ ...ofAnyone, sessionId }),
    IntentSettled: closed({
      ...ofTurn,
      /** From 0, over all rounds of the turn. */
      index: Count,
      outcome: oneOf(['success', 'failure']),
      category: nullable(oneOf(failureCategories)),
      /** True if the rest of the plan is skipped, because of something that a model has to know. */
      endsRound: Type.Optional(Type.Literal(true)),
      /** An `IntentResult`. */
      sealedResult: Sealed,
    }),
    /** The page was read to answer the message. */
    TurnReadBack: closed({ ...ofTurn, usage: TurnUsage, tokens: Count }),
    TurnSettled: closed({
      ...ofTurn,
      kind: oneOf(['plan-executed', 'clarify', 'refuse']),
      ok: Type.Boolean(),
      /** The limit that prevented another round. */
      limit: nullable(oneOf(turnLimits)),
      entryIndex,
      /** `{ body, intents? }` of the transcript's entry. */
      sealedAnswer: Sealed,
    }),
    /** The turn was answered with a problem, and had no effect on a page. */
    TurnFailed: closed({
      ...ofTurn,
      problem: oneOf(Object.keys(problems) as [ProblemSlug, ...ProblemSlug[]]),
      entryIndex,
      sealedAnswer: Sealed,
    }),
    /** Control had changed. Completed steps stay. */
    TurnSuperseded: closed({
      ...ofTurn,
      phase: oneOf(turnPhases),
      cause: oneOf(controlChanges),
      entryIndex,
      sealedAnswer: Sealed,
    }),
    /** The process that ran it died; its unrecorded steps are unknown. */
    TurnAbandoned: closed({ ...ofTurn, phase: oneOf(turnPhases), entryIndex }),
    ErrorRaised: closed({
      ...of,
      code: Type.String(),
      severity: oneOf(errorSeverities),
      /** A text of the service, like `detail`. */
      summary: Type.String(),
      detail: nullable(Type.String()),
      customerActionable: Type.Boolean(),
      retryable: Type.Boolean(),
    }),
    ModeChanged: closed({ ...of, from: oneOf(agentModes), mode: oneOf(agentModes), epoch }),
    /** `queued`: behind the running turn, until it has stopped. */
    TakeoverRequested: closed({
      ...of,
      clientId: Type.String(),
      trigger: oneOf(['takeover', 'input_event']),
      queued: Type.Boolean(),
      epoch,
      /** The client's participant in the room, if named. */
      participant: Type.Optional(ParticipantIdentity),
      /** When it expires, unless the client has sent a heartbeat since; null while it is queued. */
      heartbeatDueAt: nullable(Timestamp),
    }),
    TakeoverPromoted: closed({ ...of, clientId: Type.String(), heartbeatDueAt: Timestamp }),
    TakeoverGranted: closed({ ...of, clientId: Type.String(), heartbeatDueAt: Timestamp }),
    /** The requesting client sent no heartbeat. */
    TakeoverExpired: closed({ ...of, clientId: Type.String() }),
    /** The controlling client sent no heartbeat. */
    PairModeTimedOut: closed({ ...of, clientId: Type.String(), epoch }),
    HandbackRequested: closed({ ...of, queued: Type.Boolean(), epoch }),
    HandbackPromoted: closed(of),
    HandbackCompleted: closed(of),
    /** In manual mode, a person touched the browser: the first since the last change of control, or another one than the last. */
    ScreenTakenOver: closed({ ...of, participant: ParticipantIdentity }),
    /** A page asks for a person. */
    AgentSessionPaused: closed({ ...of, sessionId, challengeId: Type.String(), epoch }),
    ResumeRequested: closed({ ...of, challengeId: Type.String(), expiresAt: Timestamp }),
    /** The challenge was not gone in time: the agent session stays paused. */
    ResumeExpired: closed({ ...of, challengeId: Type.String() }),
    AgentSessionResumed: closed({ ...of, challengeId: Type.String() }),
    /** A client's change of the browser by a live route. */
    BrowserChanged: closed({ ...of, change: oneOf(['cookies_set', 'history_moved', 'file_uploaded']) }),
    /** A link to the live view. Its token derives from its id and a secret of the deployment, and is not stored. */
    LinkCreated: closed({
      ...of,
      linkId: idSchema('link'),
      right: oneOf(linkRights),
      expiresAt: Timestamp,
      /** The account of the person behind the credential. */
      createdBy: nullable(idSchema('account')),
      /** The credential, if it was an API key: the link ends with it. Absent in events of earlier releases. */
      apiKeyId: Type.Optional(idSchema('apiKey')),
    }),
    LinkUsed: closed({ ...of, linkId: idSchema('link') }),
    LinkRevoked: closed({ ...of, linkId: idSchema('link') }),
    /** Its idle timeout was due, after activity. One per due timeout, none per activity. */
    AgentIdleTimeoutExtended: closed({ ...of, usedAt: Timestamp, dueAt: Timestamp }),
    AgentSessionClosed: closed({
      ...of,
      reason: oneOf(['customer-closed', 'budget-exhausted', 'account-erased', 'idle']),
      epoch,
    }),
  },
  {
    versions: { TurnDecomposed: 2, TurnSettled: 2 },
    audit: {
      AgentSessionCreated: ({ agentSessionId: id, mode }) => entry('created', id, { initial_mode: mode }),
      MessageLogged: ({ agentSessionId: id, turnId }) =>
        entry('messaged', id, { turn_id: turnId, lane: 'manual' }),
      TurnAdmitted: ({ agentSessionId: id, turnId }) =>
        entry('messaged', id, { turn_id: turnId, lane: 'ai' }),
      ModeChanged: ({ agentSessionId: id, from, mode }) => entry('mode.changed', id, { from, to: mode }),
      TakeoverRequested: ({ agentSessionId: id, clientId, trigger }) =>
        entry('pair_mode.takeover', id, { client_id: clientId, trigger }),
      HandbackRequested: ({ agentSessionId: id }) => entry('pair_mode.handback', id),
      PairModeTimedOut: ({ agentSessionId: id, clientId }) => ({
        ...entry('pair_mode.timeout', id, { client_id: clientId }),
        bySystem: true,
      }),
      ScreenTakenOver: ({ agentSessionId: id, participant }) => entry('manual.takeover', id, { participant }),
      ResumeRequested: ({ agentSessionId: id, challengeId }) =>
        entry('resume_requested', id, { challenge_id: challengeId }),
      DrainAnnounced: ({ agentSessionId: id, sessionId: service_session_id, endsBy: ends_by }) =>
        entry('drain_announced', id, { service_session_id, ends_by }),
      BrowserChanged: ({ agentSessionId: id, change }) => entry(change, id),
      LinkCreated: ({ agentSessionId: id, linkId, right, expiresAt }) =>
        entry('link.created', id, { link_id: linkId, right, expires_at: expiresAt }),
      LinkUsed: ({ agentSessionId: id, linkId }) => entry('link.used', id, { link_id: linkId }),
      LinkRevoked: ({ agentSessionId: id, linkId }) => entry('link.revoked', id, { link_id: linkId }),
      AgentSessionClosed: ({ agentSessionId: id, reason }) => entry('destroyed', id, { reason }),
    },
    timers: {
      AgentSessionCreated: ({ agentSessionId, idle }) => ({
        subject: agentSessionId,
        starts: { agent_idle: idle?.dueAt ?? null },
      }),
      AgentIdleTimeoutExtended: timer.starts('agent_idle', 'dueAt'),
      TurnAdmitted: timer.starts('agent_turn_lease', 'leaseExpiresAt'),
      TurnSettled: timer.ends('agent_turn_lease'),
      TurnFailed: timer.ends('agent_turn_lease'),
      TurnSuperseded: timer.ends('agent_turn_lease'),
      TurnAbandoned: timer.ends('agent_turn_lease'),
      TakeoverRequested: timer.starts('agent_pair_heartbeat', 'heartbeatDueAt'),
      TakeoverPromoted: timer.starts('agent_pair_heartbeat', 'heartbeatDueAt'),
      TakeoverGranted: timer.starts('agent_pair_heartbeat', 'heartbeatDueAt'),
      TakeoverExpired: timer.ends('agent_pair_heartbeat'),
      PairModeTimedOut: timer.ends('agent_pair_heartbeat'),
      HandbackRequested: timer.ends('agent_pair_heartbeat'),
      ModeChanged: timer.ends('agent_pair_heartbeat'),
      AgentSessionPaused: timer.ends('agent_resume'),
      ResumeRequested: timer.starts('agent_resume', 'at'),
      ResumeExpired: timer.ends('agent_resume'),
      AgentSessionResumed: timer.ends('agent_resume'),
      AgentSessionClosed: timer.ends('agent_pair_heartbeat', 'agent_resume', 'agent_idle'),
    },
  },
);
export type AgentSessionEvent = EventOf<typeof agentSessionEvents>;
