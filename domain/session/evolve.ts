import type { SessionEvent } from '../../contracts/events/session.ts';
import type { Claim, ExistingSession, Session, SessionFacts } from './state.ts';

/** A node repeats a report within minutes, not after hundreds of others. */
const rememberedReports = 256;

type Recorded<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
export function evolve(state: Session, event: SessionEvent): Session {
  if (event.type === 'SessionRequested') return state.status === 'none' ? requested(event.data) : state;
  if (state.status === 'none' || state.status === 'destroyed' || state.status === 'errored') return state;
  const facts: SessionFacts = { ...factsOf(state), updatedAt: event.data.at };
  switch (event.type) {
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
    case 'EgressCapabilitiesReported': {
      const { capabilities, reportId } = event.data;
      const reportIds = [...state.reportIds, reportId].slice(-rememberedReports);
      return { ...state, updatedAt: event.data.at, egress: capabilities, reportIds };
    }
  }
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
  };
}

const claimOf = ({ operation, dispatchId, epoch, at }: Recorded<'OperationClaimed'>): Claim => ({
  operation,
  dispatchId,
  epoch,
  at,
});

/** Without what belongs to a status, so that a state carries nothing of the one before. */
function factsOf(state: ExistingSession): SessionFacts {
  if (state.status !== 'busy') return state;
  const { claim: _, ...facts } = state;
  return facts;
}
