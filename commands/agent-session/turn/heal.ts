import type { FilledIntent } from '../../../contracts/resources/agent-turn.ts';
import type { Action } from '../../../contracts/resources/session.ts';
import { isTargetField, type MetElement, type Target } from '../../../contracts/resources/target.ts';
import type { OwnedSession } from '../../session/index.ts';
import type { Asked } from './intents.ts';
import { afterDispatch, perform, type Performed } from './perform.ts';
import type { RunningTurn } from './running-turn.ts';

export interface Healed {
  readonly performed: Performed;
  /** Whether the element was found by other properties than the step's. */
  readonly healed: boolean;
}

interface Step {
  readonly asked: Asked;
  readonly intent: FilledIntent;
  /** The visible description of the element; null if unknown. */
  readonly target: MetElement | null;
}

/**
 * Performs an intent. If a selector finds nothing, the element is looked up by role and name, then by text or label. Each attempt is a
 * separate dispatch, which is safe because an element that was not found was not acted on. After a change of control there is no other.
 */
export async function performHealing(
  turn: RunningTurn,
  browser: OwnedSession,
  { asked, intent, target }: Step,
  name: string,
): Promise<Healed> {
  const others = target === null ? [] : otherWays(intent, target);
  const ways = [
    asked,
    ...others.map((action) => ({ operation: 'interact', input: { action, strict: true } }) as const),
  ];
  for (const [index, way] of ways.entries()) {
    const isLast = index === ways.length - 1;
    const tried = isLast ? way : foundWithin(way, turn.ports.settings.healAfterMs);
    const performed =
      index === 0
        ? await perform(turn, browser, tried, name)
        : afterDispatch(await perform(turn, browser, tried, `${name} healing ${index}`));
    if (isLast || !isMissing(performed) || !(await turn.isInControl()))
      return { performed, healed: index > 0 };
  }
  throw new Error('An intent has at least one way to be performed.');
}

const isMissing = (performed: Performed): boolean =>
  performed.outcome === 'failed' && performed.category === 'element_not_found';

const foundWithin = (asked: Asked, found_within_ms: number): Asked =>
  asked.operation === 'interact' ? { ...asked, input: { ...asked.input, found_within_ms } } : asked;

/** Actions whose element is named by its label rather than by its text. */
const onFields: readonly Action['kind'][] = ['type', 'clear', 'select', 'check', 'focus', 'press'];

function otherWays(intent: FilledIntent, { text, role }: MetElement): readonly Action[] {
  if (intent.kind !== 'interact' || text === '') return [];
  const { action } = intent;
  const byRole: Target = { role, name: text };
  const bySight: Target = onFields.includes(action.kind) ? { label: text } : { text };
  return [...(role === 'generic' ? [] : [byRole]), bySight].map((target) => retargeted(action, target));
}

/** The action with another target. */
function retargeted(action: Action, target: Target): Action {
  const rest = Object.entries(action).filter(([key]) => !isTargetField(action, key));
  // The compiler cannot check that each kind of action accepts any of these names.
  return { ...Object.fromEntries(rest), ...target } as Action;
}
