import type { SessionEvent } from '../../contracts/events/session.ts';
import {
  isLive,
  type Claim,
  type LiveSession,
  type NoSession,
  type Session,
  type SessionFacts,
} from './state.ts';

/** A node repeats a report within minutes, not after hundreds of others. */
const rememberedReports = 256;

type Report = Extract<SessionEvent, { data: { readonly reportId: string } }>;
/** What moves the session along its table of states. */
type Change = Exclude<SessionEvent, Report>;
const isReport = (event: SessionEvent): event is Report => 'reportId' in event.data;

type Recorded<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
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

function begin(state: NoSession, event: Change): Session {
  if (event.type === 'SessionWithdrawn') return { ...state, isWithdrawn: true };
  return event.type === 'SessionRequested' && !state.isWithdrawn ? requested(event.data) : state;
}

function advance(state: LiveSession, event: Change): Session {
  const facts: SessionFacts = { ...state, claim: null, updatedAt: event.data.at };
  switch (event.type) {
    case 'SessionRequested':
    case 'SessionWithdrawn':
      return state;
    case 'SessionReady':
      return state.status === 'creating' ? { ...facts, status: 'ready', readyAt: event.data.at } : state;
    case 'OperationClaimed':
      if (state.status !== 'ready') return state;
      return { ...facts, status: 'busy', epoch: event.data.epoch, claim: claimOf(event.data) };
    case 'OperationSettled':
      return state.status === 'busy' ? { ...facts, status: 'ready' } : state;
    case 'SessionErrored': {
      const { reason, errorName, at } = event.data;
      return { ...facts, status: 'errored', reason, errorName, endedAt: at };
    }
    case 'SessionDestroyed':
      return { ...facts, status: 'destroyed', cause: event.data.cause, endedAt: event.data.at };
  }
}

/** A session that has ended can only tell how its profile was saved. */
function reported(state: Session, event: Report): Session {
  if (!isLive(state) && (state.status === 'none' || event.type !== 'ProfileSaveFailed')) return state;
  const { reportId, at } = event.data;
  const reportIds = [...state.reportIds, reportId].slice(-rememberedReports);
  const next = { ...state, updatedAt: at, reportIds };
  return event.type === 'EgressCapabilitiesReported' ? { ...next, egress: event.data.capabilities } : next;
}

function requested({ dispatchId, at, ...data }: Recorded<'SessionRequested'>): Session {
  return {
    ...data,
    status: 'creating',
    creationDispatchId: dispatchId,
    createdAt: at,
    updatedAt: at,
    readyAt: null,
    epoch: 0,
    egress: null,
    reportIds: [],
    claim: null,
  };
}

const claimOf = ({ operation, dispatchId, epoch, at }: Recorded<'OperationClaimed'>): Claim => ({
  operation,
  dispatchId,
  epoch,
  at,
});
