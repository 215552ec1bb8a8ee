import type { IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeStep } from '../../contracts/resources/recipe.ts';
import { isTargetField, type MetElement } from '../../contracts/resources/target.ts';
import { isObject, typeActionOf, type Json } from './placeholders.ts';

type Success = Extract<IntentResult, { kind: 'success' }>;

/** The replacement for secret text in recorded results. */
const hidden = '[hidden]';
/** Actions that need a file or a tab of their own session. */
const unrepeatable: readonly unknown[] = ['upload', 'activate_tab', 'close_tab'];

/** The result as a repeatable step; null if it cannot be repeated. */
export function repeatableStep({ intent, target }: Success): RecipeStep | null {
  const step = parameterInPlace(stepOf(intent as RecipeStep, target));
  const { action, condition } = step;
  if (isObject(action) && unrepeatable.includes(action.kind)) return null;
  if ([action, condition].some((part) => isObject(part) && namesRef(part))) return null;
  return JSON.stringify(step).includes(hidden) ? null : step;
}

/** A ref is valid only on the page it was observed on. */
const namesRef = (part: Json): boolean =>
  part.ref !== undefined || [part.from, part.to].some((place) => isObject(place) && place.ref !== undefined);

/** The step with the element's selector and visible description. */
function stepOf(intent: RecipeStep, target: MetElement | undefined): RecipeStep {
  const { kind, action } = intent;
  if (kind !== 'interact' || !isObject(action) || target === undefined) return intent;
  const rest = Object.entries(action).filter(
    ([key]) => !isTargetField(action, key) && key !== 'x' && key !== 'y',
  );
  return { kind, action: { ...Object.fromEntries(rest), selector: target.selector }, target };
}

/** The step with a parameter instead of a variable, under the same name. */
function parameterInPlace(step: RecipeStep): RecipeStep {
  const typed = typeActionOf(step);
  if (typeof typed?.variable !== 'string') return step;
  const { variable: parameter, ...action } = typed;
  return { ...step, action: { ...action, text: { parameter } } };
}

/** The recipe's step with the selector by which a run found its element. */
export function withFoundSelector(step: RecipeStep, result: IntentResult | undefined): RecipeStep {
  if (result?.kind !== 'success' || result.healed !== true || result.target === undefined) return step;
  if (!isObject(step.action)) return step;
  return { ...step, action: { ...step.action, selector: result.target.selector }, target: result.target };
}
