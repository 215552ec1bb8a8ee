import { sessionErrors } from '../../contracts/operations.ts';
import type { Session } from '../session/state.ts';
import { isBefore } from '../kit/time.ts';
import type { BrowserEnd, Failure } from './commands.ts';
import type { ExistingAgentSession } from './state.ts';

/** The end of a driver session, from its stream. The same for every process that reports it. */
export function endOf(driver: Session): BrowserEnd {
  if (driver.status === 'destroyed') return { failure: null, endedAt: driver.endedAt };
  if (driver.status !== 'errored') return noEnd;
  return { failure: { ...failed, summary: sessionErrors[driver.errorName] }, endedAt: driver.endedAt };
}

/** The end of a driver session that never started, or that ended without a failure. */
export const noEnd: BrowserEnd = { failure: null, endedAt: null };

const failed: Omit<Failure, 'summary'> = {
  code: 'driver_session_failed',
  severity: 'error',
  detail: 'The driver session of the agent session has ended.',
  customerActionable: false,
  retryable: true,
};

const endedUnderTurn: Failure = {
  code: 'driver_session_ended',
  severity: 'error',
  summary: 'The driver session has ended.',
  detail: null,
  customerActionable: true,
  retryable: false,
};

/** The failure left by the loss of the driver session; null if none. */
export const failureOfLoss = (session: ExistingAgentSession, { failure, endedAt }: BrowserEnd) =>
  failure ?? (endedAt !== null && isUnderTurn(session, endedAt) ? endedUnderTurn : null);

/**
 * True if the loss affects the turn: the browser is attached, or it ended after the turn's admission. Any other
 * browser is replaced by the turn, which is no failure.
 */
const isUnderTurn = ({ turn, browser }: ExistingAgentSession, endedAt: string): boolean =>
  turn !== null && (browser?.origin === 'attached' || !isBefore(endedAt, turn.admittedAt));
