import type { AgentSessionEvent, ControlChange } from '../../contracts/events/agent-session.ts';
import type { AgentMode, ErrorEvent } from '../../contracts/resources/agent-session.ts';
import type { TurnPhase } from '../../contracts/resources/agent-turn.ts';
import { extendIdle, startIdle, recordUse, type Idle } from '../kit/idle.ts';
import { isBefore } from '../kit/time.ts';
import type { Browser } from './browser.ts';
import { withoutEnded, type Link, type Links } from './link.ts';
import { driving, firstPair, namesParticipant, requestOf, type Pair } from './pair.ts';
import { isUse } from './use.ts';
import { byType, type ByType, type DataOf } from '../kit/decider.ts';

export type Recorded<Type extends AgentSessionEvent['type']> = DataOf<AgentSessionEvent, Type>;

/** The one turn that is under way. */
export interface Turn {
  readonly turnId: string;
  /** The control epoch of its admission. */
  readonly epoch: number;
  readonly phase: TurnPhase;
  readonly admittedAt: string;
  readonly leaseExpiresAt: string;
  /** Number of decided rounds. */
  readonly rounds: number;
  /** What follows the last round's plan; null if no further round is possible. */
  readonly after: Recorded<'TurnDecomposed'>['after'];
  /** In all rounds: intents that were or will be executed, and how many of them have settled. */
  readonly intents: number;
  readonly settled: number;
  readonly hasReadBack: boolean;
  readonly tokens: number;
  /** Whether the user's entry is not recorded yet. */
  readonly owesMessage: boolean;
}

interface AgentSessionFacts
  extends
    Links,
    Readonly<
      Pick<
        Recorded<'AgentSessionCreated'>,
        | 'agentSessionId'
        | 'accountId'
        | 'model'
        | 'tokenBudget'
        | 'createdBy'
        | 'profileId'
        | 'proxyId'
        | 'sealedStart'
      >
    > {
  /** Undefined without an idle timeout. */
  readonly idle?: Idle | undefined;
  readonly mode: AgentMode;
  readonly initialMode: AgentMode;
  readonly pair: Pair | null;
  /** The participant that was last recorded as touching the browser in manual mode, and the epoch then. Absent before the first. */
  readonly screen?: { readonly participant: string; readonly epoch: number };
  readonly epoch: number;
  /** The latest control change; null before the first. */
  readonly control: ControlChange | null;
  readonly turn: Turn | null;
  /** Id of the previous message, whatever its outcome, so that a repeated one is not admitted twice. */
  readonly latestTurnId: string | null;
  /** Ids of the latest withdrawn messages, newest last; absent if there were none. */
  readonly withdrawnTurnIds?: readonly string[];
  readonly browser: Browser | null;
  /** True until the initial address is opened. */
  readonly awaitsInitialUrl: boolean;
  /** Number of entries in the transcript. */
  readonly entries: number;
  readonly tokensUsed: number;
  readonly error: ErrorEvent | null;
  /** The challenge that it is paused for, and until when the node is polled for its end. */
  readonly challenge: { readonly challengeId: string; readonly resumeUntil: string | null } | null;
  /** The latest challenges that paused it, newest last: each pauses it once, however often it is reported. */
  readonly challengeIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly closedReason: Recorded<'AgentSessionClosed'>['reason'] | null;
}

export type ExistingAgentSession = AgentSessionFacts & { readonly status: 'active' | 'paused' | 'closed' };
type Missing<Status> = { readonly status: Status };
export type AgentSession = Missing<'none'> | Missing<'withdrawn'> | ExistingAgentSession;

export const exists = (state: AgentSession): state is ExistingAgentSession =>
  state.status !== 'none' && state.status !== 'withdrawn';

/** True until it is closed. */
export const isOpen = (
  state: AgentSession,
): state is ExistingAgentSession & { readonly status: 'active' | 'paused' } =>
  exists(state) && state.status !== 'closed';

export const isQueued = (
  pair: Pair | null,
): pair is Pair & { readonly kind: 'takeover-queued' | 'handback-queued' } =>
  pair?.kind === 'takeover-queued' || pair?.kind === 'handback-queued';

export function evolve(state: AgentSession, event: AgentSessionEvent): AgentSession {
  if (exists(state)) {
    const changes: Changes | undefined = byType(fold, event, state);
    const used = isUse(event) ? recordUse(event.data.at, state) : {};
    return { ...state, ...used, ...changes, updatedAt: event.data.at };
  }
  if (event.type === 'AgentSessionWithdrawn') return { status: 'withdrawn' };
  return event.type === 'AgentSessionCreated' && state.status === 'none' ? created(event.data) : state;
}

function created({
  at,
  attached,
  opensInitialUrl,
  idle,
  ...facts
}: Recorded<'AgentSessionCreated'>): AgentSession {
  return {
    ...facts,
    ...startIdle(at, idle),
    initialMode: facts.mode,
    status: 'active',
    pair: firstPair(facts.mode, at),
    epoch: 1,
    control: null,
    turn: null,
    latestTurnId: null,
    browser: attached === null ? null : { sessionId: attached, origin: 'attached', ended: false },
    awaitsInitialUrl: opensInitialUrl,
    entries: 0,
    tokensUsed: 0,
    error: null,
    challenge: null,
    challengeIds: [],
    links: [],
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedReason: null,
  };
}

/** Number of challenges, and of withdrawn messages, that are remembered: one that comes again or late does so before many others. */
const remembered = 20;

type Changes = Partial<ExistingAgentSession>;
type Fold = ByType<AgentSessionEvent, Changes, [state: ExistingAgentSession]>;

const unchanged = (): Changes => ({});
const logged = ({ entries }: ExistingAgentSession): Changes => ({ entries: entries + 1 });
const ended = (_data: unknown, state: ExistingAgentSession): Changes => ({ ...logged(state), turn: null });

const ofTurns = {
  MessageLogged: ({ turnId }, state) => ({ ...logged(state), latestTurnId: turnId }),
  TurnAdmitted: ({ turnId, epoch, at, leaseExpiresAt, entryIndex }, state) => ({
    ...(entryIndex !== null && logged(state)),
    latestTurnId: turnId,
    turn: {
      ...{ turnId, epoch, leaseExpiresAt, admittedAt: at },
      ...{ phase: 'decomposing', rounds: 0, after: null },
      ...{ intents: 0, settled: 0, hasReadBack: false, tokens: 0 },
      owesMessage: entryIndex === null,
    },
  }),
  MessageRecorded: (_data, state) => ({
    ...logged(state),
    turn: state.turn && { ...state.turn, owesMessage: false },
  }),
  MessageWithdrawn: ({ turnId }, { withdrawnTurnIds = [] }) => ({
    withdrawnTurnIds: [...withdrawnTurnIds, turnId].slice(-remembered),
  }),
  TurnDecomposed: ({ round, after, intents, tokens }, { tokensUsed, turn }) => ({
    tokensUsed: tokensUsed + tokens,
    turn: turn && {
      ...turn,
      ...{ rounds: round, after, intents: turn.settled + intents, tokens: turn.tokens + tokens },
      phase: intents > 0 ? 'executing' : 'settling',
    },
  }),
  DriverSessionSpawned: ({ sessionId, at }) => ({
    browser: { sessionId, origin: 'spawned', ended: false, namedAt: at },
  }),
  InitialUrlOpened: () => ({ awaitsInitialUrl: false }),
  IntentSettled: ({ outcome, endsRound = false }, { turn }) => {
    if (turn === null) return {};
    const settled = turn.settled + 1;
    const isFailure = outcome === 'failure';
    if (settled < turn.intents && !isFailure && !endsRound) return { turn: { ...turn, settled } };
    const looks = turn.after === 'look' || (turn.after === 'done' && (isFailure || endsRound));
    return { turn: { ...turn, settled, phase: looks ? 'decomposing' : 'settling' } };
  },
  TurnReadBack: ({ tokens }, { tokensUsed, turn }) => ({
    tokensUsed: tokensUsed + tokens,
    turn: turn && { ...turn, tokens: turn.tokens + tokens, hasReadBack: true },
  }),
  TurnSettled: ended,
  TurnFailed: ended,
  TurnSuperseded: ended,
  TurnAbandoned: ended,
} satisfies Partial<Fold>;

const ofPairs = {
  TakeoverRequested: ({ queued, clientId, participant, epoch, at }, { pair }) => ({
    ...{ epoch, control: 'takeover' },
    pair: {
      kind: queued ? 'takeover-queued' : 'takeover-pending',
      clientId,
      ...(participant !== undefined && { participant }),
      ...(pair !== null && namesParticipant(pair, { clientId, participant })
        ? { since: pair.since, ...requestOf(pair) }
        : { since: at }),
    },
  }),
  TakeoverPromoted: ({ clientId, at: since }, { pair }) => ({
    pair: { ...pair, ...requestOf(pair), kind: 'takeover-pending', clientId, since },
  }),
  TakeoverGranted: ({ clientId, at: since }, { pair }) => ({
    pair: { ...pair, ...requestOf(pair), kind: 'human-driving', clientId, since },
  }),
  TakeoverExpired: ({ at }) => ({ pair: driving(at) }),
  PairModeTimedOut: ({ epoch, at }) => ({ epoch, control: 'handback', pair: driving(at) }),
  HandbackRequested: ({ queued, epoch, at: since }) => ({
    ...{ epoch, control: 'handback' },
    pair: { kind: queued ? 'handback-queued' : 'handback-pending', clientId: null, since },
  }),
  HandbackPromoted: ({ at: since }, { pair }) => ({
    pair: { ...requestOf(pair), kind: 'handback-pending', clientId: null, since },
  }),
  HandbackCompleted: ({ at }) => ({ pair: driving(at) }),
} satisfies Partial<Fold>;

const ofLinks = {
  LinkCreated: ({ linkId, right, expiresAt, createdBy, apiKeyId, at }, state) => {
    const by = { createdBy, ...(apiKeyId && { apiKeyId }) };
    const link = { linkId, right, expiresAt, ...by, createdAt: at, uses: 0, lastUsedAt: null };
    const others = withoutEnded(state, (each) => !isLive(each, at));
    return { ...others, links: [...others.links, link] };
  },
  LinkUsed: ({ linkId, at }, { links }) => ({
    links: links.map((link) =>
      link.linkId === linkId ? { ...link, uses: link.uses + 1, lastUsedAt: at } : link,
    ),
  }),
  LinkRevoked: ({ linkId }, state) => withoutEnded(state, (link) => link.linkId === linkId),
} satisfies Partial<Fold>;

/** Links that have not expired. */
export const liveLinks = ({ links }: Pick<ExistingAgentSession, 'links'>, at: string): readonly Link[] =>
  links.filter((link) => isLive(link, at));
const isLive = ({ expiresAt }: Link, at: string): boolean => isBefore(at, expiresAt);

const fold: Fold = {
  ...ofTurns,
  ...ofPairs,
  ...ofLinks,
  AgentSessionCreated: unchanged,
  AgentSessionWithdrawn: unchanged,
  BrowserChanged: unchanged,
  AgentIdleTimeoutExtended: (data, state) => extendIdle(data, state),
  DriverSessionLost: ({ sessionId }, { browser }) => {
    if (browser?.sessionId !== sessionId) return {};
    return { browser: browser.origin === 'attached' ? { ...browser, ended: true } : null };
  },
  DrainAnnounced: ({ sessionId, endsBy }, { browser }) =>
    browser?.sessionId === sessionId ? { browser: { ...browser, drain: { endsBy } } } : {},
  ErrorRaised: ({ at, code, severity, summary, detail, customerActionable, retryable }) => ({
    error: {
      ...{ timestamp: at, code, severity, summary, detail },
      ...{ customer_actionable: customerActionable, retryable },
    },
  }),
  ModeChanged: ({ mode, epoch, at }) => ({
    ...{ mode, epoch, control: 'mode' },
    pair: firstPair(mode, at),
  }),
  ScreenTakenOver: ({ participant }, { epoch }) => ({ screen: { participant, epoch } }),
  AgentSessionPaused: ({ challengeId, epoch }, { status, challengeIds }) =>
    status === 'closed'
      ? {}
      : {
          ...{ status: 'paused', epoch, control: 'pause' },
          challenge: { challengeId, resumeUntil: null },
          challengeIds: [...challengeIds, challengeId].slice(-remembered),
        },
  ResumeRequested: ({ expiresAt }, state) => resumable(state, expiresAt),
  ResumeExpired: (_data, state) => resumable(state, null),
  AgentSessionResumed: (_data, { status }) =>
    status === 'paused' ? { status: 'active', challenge: null } : {},
  AgentSessionClosed: ({ epoch, reason, at }, state) => ({
    ...{ status: 'closed', closedAt: at, closedReason: reason },
    ...{ epoch, control: 'close', pair: state.pair && driving(at), challenge: null },
    ...withoutEnded(state, () => true),
  }),
};

/** The end of polling the node for the challenge; unchanged without a challenge. */
const resumable = ({ challenge }: ExistingAgentSession, resumeUntil: string | null): Changes => ({
  challenge: challenge && { ...challenge, resumeUntil },
});
