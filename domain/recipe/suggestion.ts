import { longestPlan, type IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeContents, RecipeParameter, RecipeStep } from '../../contracts/resources/recipe.ts';
import { withFoundSelector, repeatableStep } from './past-step.ts';
import { parameterised } from './parameters.ts';
import { isPlaceholder, typeActionOf } from './placeholders.ts';
import { mostHeld, Runs, type Draft } from './repeats.ts';

/** A turn that has ended. */
export interface PastTurn {
  /** True if every planned intent succeeded. */
  readonly ok: boolean;
  /** Its entries in the transcript. */
  readonly fromIndex: number;
  readonly toIndex: number;
  /** Recorded results, in order. */
  readonly results: readonly IntentResult[];
  /** The recipe that it ran; null if none. */
  readonly recipe: RecipeContents | null;
}

export interface Suggested extends RecipeContents {
  readonly fromIndex: number;
  readonly toIndex: number;
  readonly omitted: number;
}

export type Suggestion = { readonly suggested: Suggested } | { readonly reason: string };

/**
 * Derives a recipe from the turns of an agent session, which are added one after the other, oldest first.
 *
 * - Its steps are those of fully successful turns. Of a failed turn, the last opened address is kept if the next turn continued
 *   from there.
 * - Turns that repeat the turns before them are merged into one run: values that differ become parameters.
 * - An address that is opened and left without an action is dropped.
 * - Typed text becomes a parameter, with that text as its default unless it was sensitive.
 * - Its memory is bounded: beyond `mostHeld` there is no suggestion.
 */
export class Suggesting {
  readonly #runs = new Runs();
  /** Parameters of the recipes that were run: of each name, the latest. */
  readonly #known = new Map<string, RecipeParameter>();
  #knownCharacters = 0;
  #fromIndex: number | null = null;
  #toIndex = 0;
  #omitted = 0;

  /** Adds the address that was opened before the steps of the next turn. */
  open(url: string): void {
    this.#runs.add([opening(url)]);
  }

  add(turn: PastTurn): void {
    const { ok, results, fromIndex, toIndex, recipe } = turn;
    if (ok && results.length > 0) {
      this.#fromIndex ??= fromIndex;
      this.#toIndex = toIndex;
    }
    const { kept, left } = draftsOf(turn);
    this.#omitted += left;
    if (kept.length > 0) this.#runs.add(kept);
    if (!this.#isFull) for (const parameter of recipe?.parameters ?? []) this.#learn(parameter);
  }

  outcome(): Suggestion {
    if (this.#fromIndex === null)
      return { reason: 'No turn of the agent session has carried anything out completely.' };
    if (this.#isFull) return { reason: tooMuch };
    const steps = withoutDeadEnds(this.#runs.drafts);
    if (steps.length === 0) return { reason: 'Nothing that the agent session did can be repeated.' };
    if (steps.length > longestPlan)
      return {
        reason: `The agent session did ${steps.length} things. A recipe has at most ${longestPlan} steps.`,
      };
    const contents = parameterised(steps, [...variablesOf(steps), ...this.#known.values()]);
    const range = { fromIndex: this.#fromIndex, toIndex: this.#toIndex };
    return { suggested: { ...contents, ...range, omitted: this.#omitted } };
  }

  get #isFull(): boolean {
    return this.#runs.isFull || this.#knownCharacters > mostHeld.characters;
  }

  #learn(parameter: RecipeParameter): void {
    this.#knownCharacters += charactersOf(parameter) - charactersOf(this.#known.get(parameter.name));
    this.#known.set(parameter.name, parameter);
  }
}

const tooMuch = `The agent session did more than a recipe can be suggested from: more than ${mostHeld.steps} things that do not repeat others, or with texts of more than 16 MiB.`;

const charactersOf = (parameter: RecipeParameter | undefined): number =>
  parameter === undefined ? 0 : JSON.stringify(parameter).length;

/** The parameters that replace variables: variables' values are not stored, so there is no default. */
const variablesOf = (steps: readonly Draft[]): readonly RecipeParameter[] =>
  steps.flatMap(({ step }) => {
    const typed = typeActionOf(step);
    if (!isPlaceholder(typed?.text)) return [];
    return [{ name: typed.text.parameter, type: 'string', sensitive: typed.sensitive === true }];
  });

const opening = (url: string): Draft => ({ step: { kind: 'navigate', url }, varies: new Set() });
const asDraft = (step: RecipeStep): Draft => ({ step, varies: new Set() });

function draftsOf({ ok, results, recipe }: PastTurn): {
  readonly kept: readonly Draft[];
  readonly left: number;
} {
  if (recipe !== null && ok && results.length === recipe.steps.length)
    return {
      kept: recipe.steps.map((step, index) => asDraft(withFoundSelector(step, results[index]))),
      left: 0,
    };
  const steps = results.flatMap((result) => (result.kind === 'success' ? [repeatableStep(result)] : []));
  const kept = steps.filter((step) => step !== null);
  if (ok) return { kept: kept.map(asDraft), left: steps.length - kept.length };
  const opened = kept.findLast(({ kind }) => kind === 'navigate');
  return { kept: opened === undefined ? [] : [asDraft(opened)], left: 0 };
}

/** Intents that leave the page unchanged. */
const idle: readonly RecipeStep['kind'][] = ['wait', 'scroll', 'behavioral_pause'];

function withoutDeadEnds(drafts: readonly Draft[]): readonly Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts) {
    if (draft.step.kind === 'navigate') {
      const from = kept.findLastIndex(({ step }) => !idle.includes(step.kind));
      if (kept[from]?.step.kind === 'navigate') kept.splice(from);
    }
    kept.push(draft);
  }
  return kept;
}
