import type { AgentSessionEvent, ControlChange } from '../../contracts/events/agent-session.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { AgentMode, ErrorEvent, PairKind } from '../../contracts/resources/agent-session.ts';
import type { TurnPhase } from '../../contracts/resources/agent-turn.ts';
import type { DataOf } from '../kit/decider.ts';

export type Recorded<Type extends AgentSessionEvent['type']> = DataOf<AgentSessionEvent, Type>;

/** Who holds the controls of a pair session, or asks for them. */
export interface Pair {
  readonly kind: PairKind;
  /** Null while the agent drives and nobody has asked. */
  readonly clientId: string | null;
  readonly since: string;
}

/** The one turn that is under way. */
export interface Turn {
  readonly turnId: string;
  /** The number of the control change that it was admitted under. */
  readonly epoch: number;
  readonly phase: TurnPhase;
  readonly admittedAt: string;
  readonly leaseExpiresAt: string;
  /** Of its plan, and how many of them have settled. */
  readonly intents: number;
  readonly settled: number;
  readonly tokens: number;
  /** Whether the user's entry is still to be recorded. */
  readonly owesMessage: boolean;
}

/** The driver session that it works with. An attached one stays when it has ended, so that nothing takes its place unasked. */
export interface Browser {
  readonly sessionId: SessionId;
  readonly origin: 'attached' | 'spawned';
  readonly ended: boolean;
}

interface AgentSessionFacts extends Readonly<
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
  readonly mode: AgentMode;
  readonly initialMode: AgentMode;
  readonly pair: Pair | null;
  readonly epoch: number;
  /** What the latest control change was; null before the first. */
  readonly control: ControlChange | null;
  readonly turn: Turn | null;
  readonly browser: Browser | null;
  /** Whether the initial address is still to be opened. */
  readonly awaitsInitialUrl: boolean;
  /** Entries of the transcript. */
  readonly entries: number;
  readonly tokensUsed: number;
  readonly error: ErrorEvent | null;
  /** The challenge that it is paused for, and until when the node is asked whether it has gone. */
  readonly challenge: { readonly challengeId: string; readonly resumeUntil: string | null } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly closedReason: Recorded<'AgentSessionClosed'>['reason'] | null;
}

export type ExistingAgentSession = AgentSessionFacts & { readonly status: 'active' | 'paused' | 'closed' };
export type AgentSession =
  { readonly status: 'none' } | { readonly status: 'withdrawn' } | ExistingAgentSession;

export const exists = (state: AgentSession): state is ExistingAgentSession =>
  state.status !== 'none' && state.status !== 'withdrawn';

export const isQueued = (
  pair: Pair | null,
): pair is Pair & { readonly kind: 'takeover-queued' | 'handback-queued' } =>
  pair?.kind === 'takeover-queued' || pair?.kind === 'handback-queued';

export function evolve(state: AgentSession, event: AgentSessionEvent): AgentSession {
  if (exists(state)) return { ...advance(state, event), updatedAt: event.data.at };
  if (event.type === 'AgentSessionWithdrawn') return { status: 'withdrawn' };
  return event.type === 'AgentSessionCreated' && state.status === 'none' ? created(event.data) : state;
}

function created({ at, attached, opensInitialUrl, ...facts }: Recorded<'AgentSessionCreated'>): AgentSession {
  return {
    ...facts,
    initialMode: facts.mode,
    status: 'active',
    pair: facts.mode === 'pair' ? driving(at) : null,
    epoch: 1,
    control: null,
    turn: null,
    browser: attached === null ? null : { sessionId: attached, origin: 'attached', ended: false },
    awaitsInitialUrl: opensInitialUrl,
    entries: 0,
    tokensUsed: 0,
    error: null,
    challenge: null,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedReason: null,
  };
}

const driving = (since: string): Pair => ({ kind: 'ai-driving', clientId: null, since });

type Event<Type extends AgentSessionEvent['type']> = Extract<AgentSessionEvent, { readonly type: Type }>;
type TurnEvent = Extract<AgentSessionEvent, { data: { readonly turnId: string } }>;
const isOfTurn = (event: AgentSessionEvent): event is TurnEvent => 'turnId' in event.data;

const advance = (state: ExistingAgentSession, event: AgentSessionEvent): ExistingAgentSession =>
  isOfTurn(event) ? ofTurn(state, event) : ofControl(state, event);

function ofTurn(state: ExistingAgentSession, event: TurnEvent): ExistingAgentSession {
  const { turn } = state;
  switch (event.type) {
    case 'MessageLogged':
      return logged(state);
    case 'TurnAdmitted': {
      const turn = admitted(event.data);
      return { ...(turn.owesMessage ? state : logged(state)), turn };
    }
    case 'MessageRecorded':
      return { ...logged(state), turn: turn && { ...turn, owesMessage: false } };
    case 'DriverSessionSpawned': {
      const { sessionId } = event.data;
      return { ...state, browser: { sessionId, origin: 'spawned', ended: false } };
    }
    case 'InitialUrlOpened':
      return { ...state, awaitsInitialUrl: false };
    case 'TurnDecomposed':
    case 'TurnReadBack': {
      const tokensUsed = state.tokensUsed + event.data.tokens;
      return { ...state, tokensUsed, turn: turn && progressed(turn, event) };
    }
    case 'IntentSettled':
      return { ...state, turn: turn && progressed(turn, event) };
    case 'TurnSettled':
    case 'TurnFailed':
    case 'TurnSuperseded':
    case 'TurnAbandoned':
      return { ...logged(state), turn: null };
  }
}

const logged = (state: ExistingAgentSession): ExistingAgentSession => ({
  ...state,
  entries: state.entries + 1,
});

const admitted = ({ turnId, epoch, at, leaseExpiresAt, entryIndex }: Recorded<'TurnAdmitted'>): Turn => ({
  ...{ turnId, epoch, leaseExpiresAt },
  owesMessage: entryIndex === null,
  phase: 'decomposing',
  admittedAt: at,
  intents: 0,
  settled: 0,
  tokens: 0,
});

function progressed(turn: Turn, event: Event<'TurnDecomposed' | 'TurnReadBack' | 'IntentSettled'>): Turn {
  switch (event.type) {
    case 'TurnDecomposed': {
      const { intents, tokens } = event.data;
      return { ...turn, intents, tokens, phase: intents > 0 ? 'executing' : 'settling' };
    }
    case 'TurnReadBack':
      return { ...turn, tokens: turn.tokens + event.data.tokens };
    case 'IntentSettled': {
      const settled = turn.settled + 1;
      const isLast = settled === turn.intents || event.data.outcome === 'failure';
      return { ...turn, settled, phase: isLast ? 'settling' : 'executing' };
    }
  }
}

function ofControl(
  state: ExistingAgentSession,
  { type, data }: Exclude<AgentSessionEvent, TurnEvent>,
): ExistingAgentSession {
  switch (type) {
    case 'AgentSessionCreated':
    case 'AgentSessionWithdrawn':
    case 'BrowserChanged':
      return state;
    case 'DriverSessionLost':
      return lost(state, data.sessionId);
    case 'ErrorRaised':
      return { ...state, error: errorOf(data) };
    case 'ModeChanged': {
      const { mode, epoch, at } = data;
      return { ...state, mode, epoch, control: 'mode', pair: mode === 'pair' ? driving(at) : null };
    }
    case 'AgentSessionPaused': {
      const { challengeId, epoch } = data;
      return {
        ...state,
        status: 'paused',
        epoch,
        control: 'pause',
        challenge: { challengeId, resumeUntil: null },
      };
    }
    case 'ResumeRequested':
      return { ...state, challenge: { challengeId: data.challengeId, resumeUntil: data.expiresAt } };
    case 'ResumeExpired':
      return { ...state, challenge: { challengeId: data.challengeId, resumeUntil: null } };
    case 'AgentSessionResumed':
      return { ...state, status: 'active', challenge: null };
    case 'AgentSessionClosed': {
      const { epoch, reason, at } = data;
      const end = { status: 'closed', closedAt: at, closedReason: reason, challenge: null } as const;
      return { ...state, ...end, epoch, control: 'close' };
    }
    default:
      return { ...state, ...paired({ type, data } as PairEvent) };
  }
}

type PairEvent = Event<
  | 'TakeoverRequested'
  | 'TakeoverPromoted'
  | 'TakeoverGranted'
  | 'TakeoverExpired'
  | 'PairModeTimedOut'
  | 'HandbackRequested'
  | 'HandbackPromoted'
  | 'HandbackCompleted'
>;

/** What an event of the pair mode changes. */
function paired({
  type,
  data,
}: PairEvent): Pick<Partial<ExistingAgentSession>, 'pair' | 'epoch' | 'control'> {
  const { at: since } = data;
  switch (type) {
    case 'TakeoverRequested': {
      const { queued, clientId, epoch } = data;
      const kind = queued ? 'takeover-queued' : 'takeover-pending';
      return { pair: { kind, clientId, since }, epoch, control: 'takeover' };
    }
    case 'TakeoverPromoted':
      return { pair: { kind: 'takeover-pending', clientId: data.clientId, since } };
    case 'TakeoverGranted':
      return { pair: { kind: 'human-driving', clientId: data.clientId, since } };
    case 'HandbackRequested': {
      const { queued, epoch } = data;
      const kind = queued ? 'handback-queued' : 'handback-pending';
      return { pair: { kind, clientId: null, since }, epoch, control: 'handback' };
    }
    case 'HandbackPromoted':
      return { pair: { kind: 'handback-pending', clientId: null, since } };
    case 'PairModeTimedOut':
      return { pair: driving(since), epoch: data.epoch, control: 'handback' };
    case 'TakeoverExpired':
    case 'HandbackCompleted':
      return { pair: driving(since) };
  }
}

function lost(state: ExistingAgentSession, sessionId: SessionId): ExistingAgentSession {
  const { browser } = state;
  if (browser?.sessionId !== sessionId) return state;
  return { ...state, browser: browser.origin === 'attached' ? { ...browser, ended: true } : null };
}

const errorOf = (data: Recorded<'ErrorRaised'>): ErrorEvent => ({
  timestamp: data.at,
  code: data.code,
  severity: data.severity,
  summary: data.summary,
  detail: data.detail,
  customer_actionable: data.customerActionable,
  retryable: data.retryable,
});
