import type { SessionEvent } from '../../contracts/events/session.ts';
import type { EgressCapabilities } from '../../contracts/operations.ts';
import type { DataOf } from '../kit/decider.ts';
import { extendIdle, lastUse, startIdle, recordUse, type Idle } from '../kit/idle.ts';
import { after, isBefore } from '../kit/time.ts';

export type Recorded<Type extends SessionEvent['type']> = DataOf<SessionEvent, Type>;

/** Fields of a session in every status. Times are ISO 8601. */
interface SessionFacts extends Readonly<Omit<Recorded<'SessionRequested'>, 'dispatchId' | 'at' | 'idle'>> {
  /** Undefined without an idle timeout. */
  readonly idle?: Idle | undefined;
  /** The one dispatch that may start the browser. */
  readonly creationDispatchId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly readyAt: string | null;
  /** Number of claims so far. A settle of an older claim cannot end a newer one. */
  readonly epoch: number;
  readonly egress: EgressCapabilities | null;
  /** As of `SessionReady`: a replayed answer of the creation contains it. */
  readonly egressAtReady: EgressCapabilities | null;
  /** The latest `rememberedReports` reports, newest last. */
  readonly reportIds: readonly string[];
  /** The operation that holds the browser; null unless the session is busy. */
  readonly claim: Claim | null;
}

export type Claim = Readonly<Omit<Recorded<'OperationClaimed'>, 'sessionId'>>;

export type CreatingSession = SessionFacts & { readonly status: 'creating' };
export type ReadySession = SessionFacts & { readonly status: 'ready' };
export type BusySession = SessionFacts & { readonly status: 'busy'; readonly claim: Claim };
export type DestroyedSession = SessionFacts & {
  readonly status: 'destroyed';
  readonly cause: Recorded<'SessionDestroyed'>['cause'];
  readonly endedAt: string;
};
export type ErroredSession = SessionFacts & {
  readonly status: 'errored';
  readonly reason: Recorded<'SessionErrored'>['reason'];
  readonly errorName: Recorded<'SessionErrored'>['errorName'];
  readonly endedAt: string;
};

/** No session has this id; a withdrawn id never will. */
export interface NoSession {
  readonly status: 'none';
  readonly isWithdrawn: boolean;
}
/** A session that holds a slot of its account. */
export type LiveSession = CreatingSession | ReadySession | BusySession;
export type EndedSession = DestroyedSession | ErroredSession;
export type ExistingSession = LiveSession | EndedSession;
export type Session = NoSession | ExistingSession;

export const isLive = (state: Session): state is LiveSession =>
  state.status === 'creating' || state.status === 'ready' || state.status === 'busy';

/** Longer than any operation takes before its node counts as silent; milliseconds. */
const longestClaimMs = 150_000;

/**
 * True while creating or in an operation. A claim older than `longestClaimMs` does not count: its process died, and
 * will never settle it.
 */
export const isInUse = ({ status, claim }: LiveSession, at: string): boolean =>
  status === 'creating' || (claim !== null && isBefore(at, after(claim.at, longestClaimMs)));

/** Time of the latest operation; `at` while in use. */
export const lastOperationOf = (state: LiveSession, at: string): string =>
  lastUse(isInUse(state, at), state, at);

/** Enough: nodes repeat a report within minutes, not after hundreds of others. */
const rememberedReports = 256;

type Report = Extract<SessionEvent, { data: { readonly reportId: string } }>;
/** The events that change the status. */
type Transition = Exclude<SessionEvent, Report>;
const isReport = (event: SessionEvent): event is Report => 'reportId' in event.data;

export function evolve(state: Session, event: SessionEvent): Session {
  if (isReport(event)) return reported(state, event);
  switch (state.status) {
    case 'none':
      return begin(state, event);
    case 'creating':
    case 'ready':
    case 'busy':
      return advance(state, event);
    case 'destroyed':
    case 'errored':
      return state;
  }
}

function begin(state: NoSession, event: Transition): Session {
  if (event.type === 'SessionWithdrawn') return { ...state, isWithdrawn: true };
  return event.type === 'SessionRequested' && !state.isWithdrawn ? requested(event.data) : state;
}

function advance(state: LiveSession, event: Transition): Session {
  const facts: SessionFacts = { ...state, claim: null, updatedAt: event.data.at };
  const used: SessionFacts = { ...facts, ...recordUse(event.data.at, state) };
  switch (event.type) {
    case 'SessionRequested':
    case 'SessionWithdrawn':
      return state;
    case 'SessionReady':
      return started(state, used);
    case 'OperationClaimed':
      return state.status === 'ready' ? claimed(used, event.data) : state;
    case 'OperationSettled':
      return state.status === 'busy' ? { ...used, status: 'ready' } : state;
    case 'DurationCapLifted':
      return { ...state, expiresAt: null };
    case 'IdleTimeoutExtended':
      return { ...state, ...extendIdle(event.data, state) };
    case 'SessionErrored': {
      const { reason, errorName, at } = event.data;
      return { ...facts, status: 'errored', reason, errorName, endedAt: at };
    }
    case 'SessionDestroyed':
      return { ...facts, status: 'destroyed', cause: event.data.cause, endedAt: event.data.at };
  }
}

/** Ready, if its browser was being started. */
const started = (state: LiveSession, used: SessionFacts): Session =>
  state.status === 'creating'
    ? { ...used, status: 'ready', readyAt: used.updatedAt, egressAtReady: state.egress }
    : state;

/** The state after a report. After the session's end, only the report of its profile's save is accepted. */
function reported(state: Session, event: Report): Session {
  if (!isLive(state) && (state.status === 'none' || event.type !== 'ProfileSaveFailed')) return state;
  const { reportId, at } = event.data;
  const reportIds = [...state.reportIds, reportId].slice(-rememberedReports);
  const next = { ...state, updatedAt: at, reportIds };
  if (event.type !== 'EgressCapabilitiesReported') return next;
  const egress = event.data.capabilities;
  return reportId === state.creationDispatchId
    ? { ...next, egress, egressAtReady: egress }
    : { ...next, egress };
}

function requested({ dispatchId, at, idle, ...data }: Recorded<'SessionRequested'>): Session {
  return {
    ...data,
    ...startIdle(at, idle),
    status: 'creating',
    creationDispatchId: dispatchId,
    createdAt: at,
    updatedAt: at,
    readyAt: null,
    epoch: 0,
    egress: null,
    egressAtReady: null,
    reportIds: [],
    claim: null,
  };
}

const claimed = (
  facts: SessionFacts,
  { operation, dispatchId, epoch, at }: Recorded<'OperationClaimed'>,
): BusySession => ({ ...facts, status: 'busy', epoch, claim: { operation, dispatchId, epoch, at } });
