import type {
  ParameterValue,
  RecipeParameter,
  RecipeStep,
  Placeholder,
} from '../../contracts/resources/recipe.ts';

/** The values of parameters, by name. */
export type Values = Readonly<Record<string, ParameterValue>>;

export type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

export const isPlaceholder = (value: unknown): value is Placeholder =>
  isObject(value) && typeof value.parameter === 'string';

/** Fills every placeholder. One without a value stays, and fails the schema of intents. */
export const fillPlaceholders = (steps: readonly RecipeStep[], values: Values): readonly RecipeStep[] =>
  steps.map((step) => mapPlaceholders(step, (placeholder) => fill(placeholder, values)));

const fill = (placeholder: Placeholder, values: Values): unknown => {
  const value = Object.hasOwn(values, placeholder.parameter) ? values[placeholder.parameter] : undefined;
  if (value === undefined) return placeholder;
  const { before = '', after = '' } = placeholder;
  return before === '' && after === '' ? value : `${before}${value}${after}`;
};

/** The step with every placeholder mapped by `by`. */
const mapPlaceholders = (step: RecipeStep, by: (placeholder: Placeholder) => unknown): RecipeStep => {
  const walk = (value: unknown): unknown => {
    if (isPlaceholder(value)) return by(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  return walk(step) as RecipeStep;
};

export const placeholdersOf = (step: RecipeStep): readonly Placeholder[] => {
  const placeholders: Placeholder[] = [];
  mapPlaceholders(step, (placeholder) => {
    placeholders.push(placeholder);
    return placeholder;
  });
  return placeholders;
};

/** The text that a step types; undefined if it types none. */
export const typeActionOf = ({ kind, action }: RecipeStep): Json | undefined =>
  kind === 'interact' && isObject(action) && action.kind === 'type' ? action : undefined;

/** The names of parameters that a sensitive action types. */
export const sensitiveNames = (steps: readonly RecipeStep[]): ReadonlySet<string> =>
  new Set(
    steps.flatMap((step) => {
      const typed = typeActionOf(step);
      return typed?.sensitive === true && isPlaceholder(typed.text) ? [typed.text.parameter] : [];
    }),
  );

/** Validation errors of a run's values. Each names the parameter and never contains a value. */
export type ParameterError = {
  readonly name: string;
  readonly code: 'required' | 'type' | 'additionalProperties';
};

/** The value of every parameter, given or by default, or the validation errors. */
export function valuesOf(
  parameters: readonly RecipeParameter[],
  given: Json,
): { readonly values: Values } | { readonly misfits: readonly ParameterError[] } {
  const known = new Map(parameters.map((each) => [each.name, each]));
  const values = Object.fromEntries(
    parameters.map(({ name, default: usual }) => [name, Object.hasOwn(given, name) ? given[name] : usual]),
  );
  const misfits = [
    ...Object.keys(given).flatMap((name): ParameterError[] =>
      known.has(name) ? [] : [{ name, code: 'additionalProperties' }],
    ),
    ...parameters.flatMap(({ name, type }): ParameterError[] => {
      const value = values[name];
      if (value === undefined) return [{ name, code: 'required' }];
      return typeof value === type ? [] : [{ name, code: 'type' }];
    }),
  ];
  return misfits.length > 0 ? { misfits } : { values: values as Values };
}
