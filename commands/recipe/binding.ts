import { invalid, pointer, type FieldError } from '../../contracts/field-errors.ts';
import { assertJsonSize } from '../../contracts/json-size.ts';
import type { Intent } from '../../contracts/resources/agent-turn.ts';
import {
  mostContentsBytes,
  type RecipeContents,
  type RecipeParameter,
  type RecipeStep,
} from '../../contracts/resources/recipe.ts';
import type { MetElement } from '../../contracts/resources/target.ts';
import {
  fillPlaceholders,
  isPlaceholder,
  sensitiveNames,
  placeholdersOf,
  typeActionOf,
  valuesOf,
  type ParameterError,
  type Values,
} from '../../domain/recipe/placeholders.ts';
import { isIntent } from '../../infra/model/intents.ts';
import { typesVariable } from '../agent-session/turn/variables.ts';
import { namesSecret } from '../../infra/model/sensitive.ts';

export interface Bound {
  readonly intents: readonly Intent[];
  readonly targets: readonly (MetElement | null)[];
}

/** The steps with the values of one run. Refuses values that the recipe does not accept, without quoting them. */
export function bound(
  { steps, parameters }: RecipeContents,
  given: Readonly<Record<string, unknown>>,
): Bound {
  const checked = valuesOf(parameters, given);
  if ('misfits' in checked) throw invalid(...checked.misfits.map((each) => misfit(each, parameters)));
  const intents = fillPlaceholders(steps, checked.values).map(({ target: _, ...intent }, index) => {
    if (isStep(intent)) return intent;
    const names = placeholdersOf(steps[index] ?? { kind: 'wait' }).map(({ parameter }) => parameter);
    throw invalid(...names.map((name) => atParameter(name, 'text', 'does not fit its step')));
  });
  assertJsonSize('/body/parameters', intents, mostContentsBytes, ', with the steps that they fill');
  return { intents, targets: steps.map(({ target }) => target ?? null) };
}

/** Refuses steps that the defaults of their parameters make too large to be run. */
export function assertDefaultsFit({ steps, parameters }: RecipeContents): void {
  const defaults: Values = Object.fromEntries(
    parameters.map(({ name, default: value }) => [name, value ?? '']),
  );
  const filled = fillPlaceholders(steps, defaults);
  assertJsonSize('/body/steps', filled, mostContentsBytes, ', with the defaults of their parameters');
}

/** True for an intent that needs nothing but the recipe: a message that runs one has no variables. */
const isStep = (candidate: unknown): candidate is Intent => isIntent(candidate) && !typesVariable(candidate);

const atParameter = (name: string, code: string, message: string): FieldError => ({
  ...{ path: `/body/parameters/${pointer(name)}`, code, message },
});

function misfit({ name, code }: ParameterError, parameters: readonly RecipeParameter[]): FieldError {
  const type = parameters.find((each) => each.name === name)?.type;
  const messages: Readonly<Record<ParameterError['code'], string>> = {
    required: 'is required: it has no default',
    type: `must be a ${type}`,
    additionalProperties: 'is not a parameter of the recipe',
  };
  return atParameter(name, code, messages[code]);
}

/** A client's steps with the parameters that they name. Refuses steps that no values can make valid intents. */
export function writtenContents(
  written: readonly RecipeStep[],
  suggested: readonly RecipeParameter[],
): RecipeContents {
  const steps = written.map(markedSecret);
  const sensitive = sensitiveNames(steps);
  const parameters = new Map<string, RecipeParameter>();
  for (const [index, step] of steps.entries()) {
    const typed = typeActionOf(step);
    if (typed?.sensitive === true && !isPlaceholder(typed.text))
      throw invalid(atStep(index, 'must name a parameter instead of a sensitive text'));
    for (const { parameter: name } of placeholdersOf(step)) {
      const known = suggested.find((each) => each.name === name);
      const isSensitive = sensitive.has(name);
      const type = isFlag(step) ? 'boolean' : 'string';
      const fits = known?.type === type && known.sensitive === isSensitive;
      parameters.set(name, fits ? known : { name, type, sensitive: isSensitive });
    }
  }
  const contents = { steps, parameters: [...parameters.values()] };
  assertPossible(contents);
  return contents;
}

const atStep = (index: number, message: string): FieldError => ({
  ...{ path: `/body/steps/${index}`, code: 'text', message },
});

const isFlag = ({ action }: RecipeStep): boolean =>
  typeof action === 'object' && action !== null && 'checked' in action && isPlaceholder(action.checked);

/** Marks a step as sensitive if it types into a field with a secret's name. */
function markedSecret(step: RecipeStep): RecipeStep {
  const typed = typeActionOf(step);
  if (typed === undefined || typed.sensitive === true) return step;
  const names = [
    step.target?.text,
    typed.label,
    typed.name,
    typed.placeholder,
    typed.test_id,
    typed.selector,
  ];
  return names.some((name) => typeof name === 'string' && namesSecret(name))
    ? { ...step, action: { ...typed, sensitive: true } }
    : step;
}

/** Refuses unless some value for each parameter makes every step an intent. */
function assertPossible({ steps, parameters }: RecipeContents): void {
  const samples: Values = Object.fromEntries(
    parameters.map(({ name, type }) => [name, type === 'boolean' ? true : 'x']),
  );
  for (const [index, { target: _, ...intent }] of fillPlaceholders(steps, samples).entries())
    if (!isStep(intent)) throw invalid(atStep(index, 'is not a step that an agent can take'));
}
