import { longestPlan, type IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeContents, RecipeParameter, RecipeStep } from '../../contracts/resources/recipe.ts';
import { withFoundSelector, repeatableStep } from './past-step.ts';
import { parameterised } from './parameters.ts';
import { isPlaceholder, typeActionOf } from './placeholders.ts';
import { Runs, type Draft } from './repeats.ts';

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

export interface PastSession {
  /** The address opened before the first step. */
  readonly initialUrl: string | null;
  readonly turns: readonly PastTurn[];
}

export interface Suggested extends RecipeContents {
  readonly fromIndex: number;
  readonly toIndex: number;
  readonly omitted: number;
}

type Suggestion = { readonly suggested: Suggested } | { readonly reason: string };

/**
 * Derives a recipe from an agent session.
 *
 * - Its steps are those of fully successful turns. Of a failed turn, the last opened address is kept if the next turn continued
 *   from there.
 * - Turns that repeat the turns before them are merged into one run: values that differ become parameters.
 * - An address that is opened and left without an action is dropped.
 * - Typed text becomes a parameter, with that text as its default unless it was sensitive.
 */
export function suggestionOf({ initialUrl, turns }: PastSession): Suggestion {
  const done = turns.filter(({ ok, results }) => ok && results.length > 0);
  const [first, last] = [done[0], done.at(-1)];
  if (!first || !last) return { reason: 'No turn of the agent session has carried anything out completely.' };
  let omitted = 0;
  const runs = new Runs();
  if (initialUrl !== null) runs.add([opening(initialUrl)]);
  for (const turn of turns) {
    const { kept, left } = draftsOf(turn);
    omitted += left;
    if (kept.length > 0) runs.add(kept);
  }
  const steps = withoutDeadEnds(runs.drafts);
  if (steps.length === 0) return { reason: 'Nothing that the agent session did can be repeated.' };
  if (steps.length > longestPlan)
    return {
      reason: `The agent session did ${steps.length} things. A recipe has at most ${longestPlan} steps.`,
    };
  const recipes = turns.flatMap(({ recipe }) => (recipe === null ? [] : [recipe]));
  const known = [
    ...variablesOf(steps),
    ...recipes.flatMap(({ parameters }): readonly RecipeParameter[] => parameters),
  ];
  return {
    suggested: { ...parameterised(steps, known), fromIndex: first.fromIndex, toIndex: last.toIndex, omitted },
  };
}

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
