import type { RecipeStep } from '../../contracts/resources/recipe.ts';

/** A step of a recipe under construction. */
export interface Draft {
  readonly step: RecipeStep;
  /** Its values that differed in another run. */
  readonly varies: ReadonlySet<Value>;
}

/** Values of the step in its other runs. */
type Value = 'url' | 'text' | 'pattern' | 'values' | 'checked';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const valuesByKind: Readonly<Record<string, Value>> = {
  navigate: 'url',
  type: 'text',
  select: 'values',
  check: 'checked',
  text: 'text',
  url: 'pattern',
};

/** The path and value of a step; undefined if it has no value. */
export function valueIn(step: RecipeStep): { readonly of: Value; readonly value: unknown } | undefined {
  const { part, kind } = partOf(step);
  const of = valuesByKind[kind];
  return of === undefined ? undefined : { of, value: part[of] };
}

/** The step with another value. */
export function withValue(step: RecipeStep, value: unknown): RecipeStep {
  const { at, part, kind } = partOf(step);
  const of = valuesByKind[kind];
  if (of === undefined) return step;
  return at === null ? { ...step, [of]: value } : { ...step, [at]: { ...part, [of]: value } };
}

/** The part of a step that has its value. */
function partOf(step: RecipeStep): { at: 'action' | 'condition' | null; part: Json; kind: string } {
  const at = step.kind === 'interact' ? 'action' : step.kind === 'wait' ? 'condition' : null;
  if (at === null) return { at, part: step, kind: step.kind };
  const part = step[at];
  return isObject(part) ? { at, part, kind: String(part.kind) } : { at, part: {}, kind: '' };
}

/** The step without its value, for comparison. */
const shapeOf = (step: RecipeStep): string => JSON.stringify(withValue(step, null));

/**
 * True if turns repeat the turns before them. Repeated taps may be intended, so a repeat must contain values or begin with an
 * address; a repeat of several turns must begin with an address.
 */
export function isRepeat(before: readonly Draft[], again: readonly Draft[], turns: number): boolean {
  const [first] = again;
  if (first === undefined || before.length !== again.length) return false;
  const opens = first.step.kind === 'navigate' && again.length > 1;
  const types = again.some(({ step }) => step.kind === 'interact' && valueIn(step) !== undefined);
  if (!opens && (turns > 1 || !types)) return false;
  return again.every(({ step }, index) => shapeOf(step) === shapeOf(before[index]?.step ?? step));
}

/** Merges two runs, with the values of the later one. */
export const mergeRuns = (before: readonly Draft[], again: readonly Draft[]): readonly Draft[] =>
  again.map(({ step, varies }, index) => {
    const other = before[index];
    const [now, then] = [valueIn(step), other && valueIn(other.step)];
    const differs = now !== undefined && JSON.stringify(now.value) !== JSON.stringify(then?.value);
    return { step, varies: new Set([...varies, ...(other?.varies ?? []), ...(differs ? [now.of] : [])]) };
  });
