import { longestTurn } from '../../contracts/resources/agent-turn.ts';
import type { RecipeStep } from '../../contracts/resources/recipe.ts';
import { isObject, type Json } from './placeholders.ts';

/** A step of a recipe under construction. */
export interface Draft {
  readonly step: RecipeStep;
  /** Its values that differed in another run. */
  readonly varies: ReadonlySet<Value>;
}

/** Values of the step in its other runs. */
type Value = 'url' | 'text' | 'pattern' | 'values' | 'checked';

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

interface Shaped {
  readonly draft: Draft;
  readonly shape: string;
  /** Characters of the step as JSON. */
  readonly size: number;
}

/** Maximum number of steps that are held, and of their characters. A recipe has far fewer. */
export const mostHeld = { steps: 5000, characters: 16 * 1024 * 1024 } as const;

/**
 * The steps of a session's turns. Turns that repeat the turns before them become one run with these. A run has at most as many steps as a
 * turn may have, so that the cost of adding a turn does not grow with their number.
 */
export class Runs {
  readonly #steps: Shaped[] = [];
  /** Index of the first step of each turn. */
  readonly #turns: number[] = [];
  #characters = 0;

  get drafts(): readonly Draft[] {
    return this.#steps.map(({ draft }) => draft);
  }

  /** True once there are more steps than are held. Later turns are ignored. */
  get isFull(): boolean {
    return this.#steps.length > mostHeld.steps || this.#characters > mostHeld.characters;
  }

  /** Adds a turn. Steps are compared by index and not copied, because a session may have thousands of turns. */
  add(turn: readonly Draft[]): void {
    if (this.isFull) return;
    this.#turns.push(this.#steps.length);
    for (const draft of turn) this.#push(draft);
    for (let count = 1; count * 2 <= this.#turns.length; count += 1) {
      const [before = 0, again = 0] = [this.#turns.at(-2 * count), this.#turns.at(-count)];
      if (this.#steps.length - again > longestTurn) return;
      if (!this.#isRepeat(before, again, count)) continue;
      const replaced = this.#steps.slice(before, again);
      this.#steps.splice(before, Infinity, ...mergeRuns(replaced, this.#steps.slice(again)));
      this.#turns.splice(-2 * count, 2 * count, before);
      for (const { size } of replaced) this.#characters -= size;
      return;
    }
  }

  #push(draft: Draft): void {
    const size = JSON.stringify(draft.step).length;
    this.#steps.push({ draft, shape: shapeOf(draft.step), size });
    this.#characters += size;
  }

  /**
   * Whether the last turns, from step `again` on, repeat those from `before` on. Repeated taps may be intended, so a repeat must contain
   * values or begin with an address; a repeat of several turns must begin with an address.
   */
  #isRepeat(before: number, again: number, turns: number): boolean {
    const length = this.#steps.length - again;
    const first = this.#steps[again];
    if (first === undefined || again - before !== length) return false;
    const opens = first.draft.step.kind === 'navigate' && length > 1;
    if (!opens && (turns > 1 || !this.#steps.slice(again).some(typesValue))) return false;
    for (let at = 0; at < length; at += 1)
      if (this.#steps[before + at]?.shape !== this.#steps[again + at]?.shape) return false;
    return true;
  }
}

const typesValue = ({ draft: { step } }: Shaped): boolean =>
  step.kind === 'interact' && valueIn(step) !== undefined;

/** Merges two runs, with the values of the later one. */
const mergeRuns = (before: readonly Shaped[], again: readonly Shaped[]): readonly Shaped[] =>
  again.map(({ draft: { step, varies }, ...same }, index) => {
    const other = before[index]?.draft;
    const [now, then] = [valueIn(step), other && valueIn(other.step)];
    const differs = now !== undefined && JSON.stringify(now.value) !== JSON.stringify(then?.value);
    const differing = new Set([...varies, ...(other?.varies ?? []), ...(differs ? [now.of] : [])]);
    return { ...same, draft: { step, varies: differing } };
  });
