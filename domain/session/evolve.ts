import type { SessionEvent } from '../../contracts/events/session.ts';
import type { Claim, ExistingSession, LiveSession, NoSession, Session, SessionFacts } from './state.ts';

/** A node repeats a report within minutes, not after hundreds of others. */
const rememberedReports = 256;

type Recorded<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>['data'];

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
export function evolve(state: Session, event: SessionEvent): Session {
  switch (state.status) {
    case 'none':
      return begin(state, event);
    case 'creating':
    case 'ready':
    case 'busy':
      return advance(state, event);
    case 'destroyed':
    case 'errored':
      return event.type === 'ProfileSaveFailed' ? reported(state, event.data) : state;
  }
}

function begin(state: NoSession, event: SessionEvent): Session {
  if (event.type === 'SessionWithdrawn') return { ...state, isWithdrawn: true };
  return event.type === 'SessionRequested' && !state.isWithdrawn ? requested(event.data) : state;
}

function advance(state: LiveSession, event: SessionEvent): Session {
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
    case 'EgressCapabilitiesReported':
      return { ...reported(state, event.data), egress: event.data.capabilities };
    case 'ChallengeDetected':
    case 'ProfileSaveFailed':
      return reported(state, event.data);
  }
}

const reported = <State extends ExistingSession>(
  state: State,
  { reportId, at }: { readonly reportId: string; readonly at: string },
): State => ({
  ...state,
  updatedAt: at,
  reportIds: [...state.reportIds, reportId].slice(-rememberedReports),
});

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
