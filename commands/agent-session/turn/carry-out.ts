import { v5 as uuidv5 } from 'uuid';
import { sealedFields } from '../../../contracts/events/agent-session.ts';
import { toId } from '../../../contracts/ids.ts';
import type { OperationResult } from '../../../contracts/fleet/operations.ts';
import type { FailureCategory } from '../../../contracts/operations.ts';
import type { Intent, IntentResult } from '../../../contracts/resources/agent-turn.ts';
import type { MetElement } from '../../../contracts/resources/target.ts';
import type { OwnedSession } from '../../session/index.ts';
import { browserFor, heldBrowser, lose } from './driver-session.ts';
import { isRetryable, operationOf, summaryOf, usualCategory, type Asked } from './intents.ts';
import { performHealing, type Healed } from './heal.ts';
import { afterDispatch, perform, type Performed } from './perform.ts';
import type { RunningTurn } from './running-turn.ts';
import { shownIntent, withoutSecrets, type Secret } from './secrets.ts';
import { filledIntent, unknownVariable } from './variables.ts';

/**
 * Outcome of a round's intents. `lost`: one failed, and the browser has ended. `interrupted`: something happened that
 * the model must know, and the remaining intents were skipped. `overdue`: they were skipped because the turn's time is up.
 */
export type CarriedOut = 'done' | 'failed' | 'lost' | 'interrupted' | 'overdue';

/** Conditions of a round's execution. */
export interface Bounds {
  /** Whether the turn is settled together with the last result. */
  readonly endsTurn: (carriedOut: CarriedOut) => boolean;
  /** Why an intent is not dispatched; null if it is. */
  readonly refuses?: (intent: Intent) => Promise<string | null>;
  /** Whether something happened during an intent, so that the round ends early. */
  readonly isInterrupted?: (result: unknown, intent: Intent) => boolean;
  /** Whether the turn's time is up, so that no intent but its first is begun. */
  readonly isOverdue?: () => boolean;
}

const unbound = { refuses: async () => null, isInterrupted: () => false, isOverdue: () => false };

/** Carries out the intents of a round in order, up to the first failure, and records each result. */
export async function carryOut(
  turn: RunningTurn,
  intents: readonly Intent[],
  bounds: Bounds,
): Promise<CarriedOut> {
  const { endsTurn, refuses, isInterrupted, isOverdue } = { ...unbound, ...bounds };
  const first = turn.record.results.length;
  let browser = first === 0 ? await browserFor(turn) : heldBrowser(turn);
  if (browser === null) return 'lost';
  for (const [nth, intent] of intents.entries()) {
    const step: Step = { intent, index: first + nth };
    if (step.index > 0 && isOverdue()) return 'overdue';
    const refusal = await refuses(intent);
    let found = refusal === null ? await performOne(turn, browser, step) : notDispatched(refusal);
    if (step.index === 0 && found.performed.outcome === 'gone') {
      // The browser had ended before the plan began, which this process had not seen yet.
      browser = await browserFor(turn, { cached: false });
      found = await performOne(turn, browser, step, ' anew');
    }
    if (found.performed.outcome === 'succeeded') turn.provenance.did(intent, found.performed.result);
    const result = await resultOf(turn, browser, step, found);
    const carriedOut = afterStep(found, {
      isLast: nth === intents.length - 1,
      isInterrupted: (operation) => isInterrupted(operation, intent),
    });
    await settle(turn, result, {
      index: step.index,
      endsRound: carriedOut === 'interrupted',
      endsTurn: carriedOut !== null && endsTurn(carriedOut),
    });
    if (carriedOut !== null) return carriedOut;
  }
  return 'done';
}

/** Outcome of a round that ends with this step; null if it continues. */
function afterStep(
  found: Healed,
  {
    isLast,
    isInterrupted,
  }: { readonly isLast: boolean; readonly isInterrupted: (result: unknown) => boolean },
): CarriedOut | null {
  const { performed } = found;
  if (performed.outcome !== 'succeeded') return failureOf(found);
  const cutsShort = isInterrupted(performed.result);
  if (isLast) return 'done';
  return cutsShort ? 'interrupted' : null;
}

const failureOf = (found: Healed): CarriedOut => (hasEnded(found) ? 'lost' : 'failed');

const notDispatched = (reason: string): Healed => ({
  performed: { outcome: 'failed', category: 'invalid_request', reason },
  healed: false,
});

const hasEnded = ({ performed: { outcome } }: Healed): boolean => outcome === 'ended' || outcome === 'gone';

/** An intent, at its index in the turn. */
interface Step {
  readonly intent: Intent;
  readonly index: number;
}

/** Adds the sites that may receive its data, if these are limited. */
const confined = (asked: Asked, sites: readonly string[] | undefined): Asked =>
  asked.operation === 'interact' && sites !== undefined
    ? { ...asked, input: { ...asked.input, only_on: [...sites] } }
    : asked;

const captureIdOf = ({ order: { turnId } }: RunningTurn, { index }: Step) =>
  toId('capture', uuidv5(`capture ${index}`, turnId));

async function performOne(
  turn: RunningTurn,
  browser: OwnedSession,
  step: Step,
  suffix = '',
): Promise<Healed> {
  const { index } = step;
  const intent = filledIntent(step.intent, turn.order.variables);
  if (intent === null) return notDispatched(unknownVariable(step.intent));
  const asked = confined(operationOf(intent, captureIdOf(turn, step)), turn.provenance.limitOf(step.intent));
  const target = turn.order.recipe?.targets[index] ?? null;
  if (turn.isLookDue) await turn.proceed(`intent ${index}${suffix}`);
  const found = await performHealing(turn, browser, { asked, intent, target }, `${index}${suffix}`);
  const { performed } = found;
  // A capture changes nothing, so it may be repeated once.
  const isRepeatable =
    intent.kind === 'capture' && performed.outcome === 'failed' && performed.category === 'capture_failed';
  if (!isRepeatable || !(await turn.isInControl())) return found;
  return {
    ...found,
    performed: afterDispatch(await perform(turn, browser, asked, `${index}${suffix} again`)),
  };
}

async function resultOf(
  turn: RunningTurn,
  browser: OwnedSession,
  step: Step,
  found: Healed,
): Promise<IntentResult> {
  const { performed, healed } = found;
  const { secrets } = turn;
  const { intent } = step;
  const shown = shownIntent(intent, secrets, turn.order.variables);
  if (performed.outcome === 'succeeded') {
    const summary = withoutSecrets(summaryOf(intent, performed.result), secrets);
    const met = metBy(intent, performed.result, secrets);
    return {
      ...{ kind: 'success', intent: shown, summary },
      ...(intent.kind === 'capture' && { captureId: captureIdOf(turn, step) }),
      ...(met !== undefined && { target: met }),
      ...(healed && { healed }),
    };
  }
  if (hasEnded(found)) await lose(turn, browser.id);
  const category = categoryOf(intent, performed);
  const retryable = performed.outcome === 'busy' || isRetryable(intent.kind, category);
  const reason = withoutSecrets(performed.reason, secrets);
  return { kind: 'failure', intent: shown, reason, diagnosis: { category, retryable } };
}

/** The element without secrets. A selector that contains one is omitted. */
function metBy(intent: Intent, result: unknown, secrets: readonly Secret[]): MetElement | undefined {
  if (intent.kind !== 'interact') return undefined;
  // The node has checked it against its operation's schema.
  const { met } = result as OperationResult<'interact'>;
  const isSecret = met !== undefined && withoutSecrets(met.selector, secrets) !== met.selector;
  if (met === undefined || isSecret) return undefined;
  return { ...met, text: withoutSecrets(met.text, secrets) };
}

function categoryOf(
  { kind }: Intent,
  performed: Exclude<Performed, { outcome: 'succeeded' }>,
): FailureCategory {
  if (performed.outcome !== 'failed') return 'session_error';
  const { category } = performed;
  // A scroll reports that the page could not be scrolled.
  if (kind === 'scroll' && category !== 'invalid_request') return usualCategory.scroll;
  return category ?? usualCategory[kind];
}

interface Settling {
  readonly index: number;
  /** Whether the rest of the plan is skipped. */
  readonly endsRound: boolean;
  /** Whether nothing is left to do for the message. */
  readonly endsTurn: boolean;
}

async function settle(
  turn: RunningTurn,
  result: IntentResult,
  { index, endsRound, endsTurn }: Settling,
): Promise<void> {
  const { turnId } = turn.order;
  turn.update({ results: [...turn.record.results, result] });
  await turn.step(`settle ${index}`, {
    type: 'SettleIntent',
    index,
    outcome: result.kind,
    category: result.kind === 'failure' ? result.diagnosis.category : null,
    ...(endsRound && { endsRound }),
    sealedResult: await turn.seal(sealedFields.result(turnId, index), result),
    ...(endsTurn && { settles: await turn.settlement() }),
  });
}
