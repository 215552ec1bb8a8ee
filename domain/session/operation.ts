import type { SessionEvent } from '../../contracts/events/session.ts';
import { refuse } from '../../contracts/problems.ts';
import type { ClaimOperation, FailOperation, SettleOperation } from './commands.ts';
import { errored } from './end-events.ts';
import type { BusySession, Session } from './state.ts';
import { elapsedMs } from './times.ts';

type Decision = readonly SessionEvent[];

/** Claims the browser for one operation. Refused unless the session is ready, so at most one caller dispatches. */
export function claimOperation(state: Session, { operation, dispatchId, at }: ClaimOperation): Decision {
  switch (state.status) {
    case 'ready': {
      const { sessionId } = state;
      const epoch = state.epoch + 1;
      return [{ type: 'OperationClaimed', data: { sessionId, operation, dispatchId, epoch, at } }];
    }
    case 'creating':
    case 'busy':
      throw refuse('conflict', `The session is ${state.status}.`);
    case 'destroyed':
    case 'errored':
      throw refuse('session-destroyed');
    case 'none':
      throw refuse('not-found');
  }
}

export function settleOperation(
  state: Session,
  { dispatchId, epoch, failure, at }: SettleOperation,
): Decision {
  const { sessionId, claim } = claimed(state, dispatchId, epoch);
  return [
    {
      type: 'OperationSettled',
      data: {
        sessionId,
        operation: claim.operation,
        dispatchId,
        epoch,
        outcome: failure === null ? 'succeeded' : 'failed',
        failureCategory: failure,
        durationMs: elapsedMs(claim.at, at),
        at,
      },
    },
  ];
}

export function failOperation(state: Session, { dispatchId, epoch, reason, at }: FailOperation): Decision {
  const busy = claimed(state, dispatchId, epoch);
  const errorName = reason === 'driver_silent' ? 'SessionTimeoutError' : 'DriverError';
  return [errored(busy, { operation: busy.claim.operation, reason, errorName, at })];
}

/** Only the winner of the present claim may end it; whoever lost the race to an end gets 410. */
function claimed(state: Session, dispatchId: string, epoch: number): BusySession {
  switch (state.status) {
    case 'busy':
      if (state.claim.dispatchId === dispatchId && state.claim.epoch === epoch) return state;
      throw refuse('conflict', 'Another operation holds the session.');
    case 'creating':
    case 'ready':
      throw refuse('conflict', 'The operation does not hold the session.');
    case 'destroyed':
    case 'errored':
      throw refuse('session-destroyed');
    case 'none':
      throw refuse('not-found');
  }
}
