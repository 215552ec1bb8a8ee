import type { FailureCategory } from '../../../contracts/operations.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { EndedMeanwhile, type OwnedSession } from '../../session/index.ts';
import type { Asked } from './intents.ts';
import type { RunningTurn } from './running-turn.ts';

/** The outcome of a turn's operation. */
export type Performed =
  | { readonly outcome: 'succeeded'; readonly result: unknown }
  /** `category`: null if it depends on the intent. */
  | { readonly outcome: 'failed'; readonly category: FailureCategory | null; readonly reason: string }
  /** The browser did not accept it. */
  | { readonly outcome: 'busy'; readonly reason: string }
  /** The driver session has ended during it. */
  | { readonly outcome: 'ended'; readonly reason: string }
  /** The driver session had ended before: nothing was dispatched. */
  | { readonly outcome: 'gone'; readonly reason: string };

/** For a later operation of the same step: `gone` becomes `ended`, because the browser has ended during the plan. */
export const afterDispatch = (performed: Performed): Performed =>
  performed.outcome === 'gone' ? { ...performed, outcome: 'ended' } : performed;

/** Milliseconds between two attempts with a busy browser. */
const busyRetryMs = 250;

/**
 * Dispatches one operation, at most once: its dispatch id is derived from `name`, which is unique in the turn. Every result is an outcome.
 * A busy browser is waited for, until control changes.
 */
export async function perform(
  turn: RunningTurn,
  browser: OwnedSession,
  asked: Asked,
  name: string,
): Promise<Performed> {
  const { clock, pause, settings } = turn.ports;
  const giveUpAt = clock.now().getTime() + settings.busyPatienceMs;
  for (;;) {
    const performed = await attempt(turn, browser, asked, name);
    if (performed.outcome !== 'busy' || clock.now().getTime() >= giveUpAt) return performed;
    await pause(busyRetryMs, AbortSignal.timeout(settings.busyPatienceMs));
    if (!(await turn.isInControl())) return performed;
  }
}

async function attempt(
  turn: RunningTurn,
  browser: OwnedSession,
  asked: Asked,
  name: string,
): Promise<Performed> {
  const { sessions, assertSound } = turn.ports;
  try {
    assertSound(asked.operation, asked.input);
    turn.willDispatch();
    const { dispatched, ended } = await sessions.attempt(
      turn.callerFor(`perform ${name}`),
      browser,
      asked.operation,
      asked.input,
    );
    if (dispatched.outcome === 'succeeded') return { outcome: 'succeeded', result: dispatched.result };
    const { kind, category, reason } = dispatched.failure;
    if (ended) return { outcome: 'ended', reason };
    return {
      outcome: 'failed',
      category: kind === 'page' || category !== 'unknown' ? category : null,
      reason,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(error);
  }
}

function refused(refusal: Refusal): Performed {
  const { slug, message } = refusal;
  if (slug === 'validation-failed')
    return { outcome: 'failed', category: 'invalid_request', reason: `The step cannot be taken: ${message}` };
  if (slug === 'conflict') return { outcome: 'busy', reason: 'Another operation has the browser.' };
  if (slug === 'session-destroyed' || slug === 'not-found') {
    const reason = 'The driver session has ended.';
    return { outcome: refusal instanceof EndedMeanwhile ? 'ended' : 'gone', reason };
  }
  return { outcome: 'failed', category: 'session_error', reason: message };
}
