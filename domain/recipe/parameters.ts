import type {
  RecipeContents,
  RecipeParameter,
  RecipeStep,
  Placeholder,
} from '../../contracts/resources/recipe.ts';
import { valueIn, withValue, type Draft } from './repeats.ts';
import { isPlaceholder, placeholdersOf, typeActionOf } from './placeholders.ts';

/** Turns values of steps into parameters: typed ones, and ones that differed in another run. */
export function parameterised(drafts: readonly Draft[], known: readonly RecipeParameter[]): RecipeContents {
  const taken = new Set(drafts.flatMap(({ step }) => placeholdersOf(step)).map(({ parameter }) => parameter));
  const parameters: RecipeParameter[] = [];
  const steps: RecipeStep[] = [];
  for (const draft of drafts) {
    const { step } = draft;
    const taking = takesParameter(draft);
    if (taking === undefined) {
      steps.push(mentioning(step, parameters));
      parameters.push(...knownIn(step, known, parameters));
      continue;
    }
    const name = freshName(namesFor(step, taking.of), taken);
    const placeholder: Placeholder = { parameter: name };
    steps.push(withValue(step, taking.isList ? [placeholder] : placeholder));
    parameters.push(parameterOf(name, taking.value, typeActionOf(step)?.sensitive === true));
  }
  return { steps, parameters };
}

/** The step's value that becomes a parameter; undefined if none does. */
function takesParameter({ step, varies }: Draft) {
  const found = valueIn(step);
  if (found === undefined || placeholdersOf(step).length > 0) return undefined;
  const { of, value } = found;
  if (typeActionOf(step) === undefined && !varies.has(of)) return undefined;
  if (!Array.isArray(value)) return { of, value, isList: false };
  // A list of several choices stays as it is: a parameter is one value.
  return value.length === 1 ? { of, value: value[0] as unknown, isList: true } : undefined;
}

const parameterOf = (name: string, value: unknown, sensitive: boolean): RecipeParameter => {
  const type = typeof value === 'boolean' ? 'boolean' : 'string';
  const usual = typeof value === 'boolean' || typeof value === 'string' ? { default: value } : {};
  return { name, type, sensitive, ...(!sensitive && usual) };
};

/** The parameters that a step of an earlier recipe names. */
const knownIn = (
  step: RecipeStep,
  known: readonly RecipeParameter[],
  had: readonly RecipeParameter[],
): readonly RecipeParameter[] => {
  const names = new Set(placeholdersOf(step).map(({ parameter }) => parameter));
  return [...names].flatMap((name) => {
    const parameter = known.findLast((each) => each.name === name);
    return parameter === undefined || had.some((each) => each.name === name) ? [] : [parameter];
  });
};

/** Minimum length: shorter values occur in too many texts by chance. */
const shortestMention = 2;

/** A wait whose text contains an earlier typed value refers to that value's parameter. */
function mentioning(step: RecipeStep, parameters: readonly RecipeParameter[]): RecipeStep {
  const found = step.kind === 'wait' ? valueIn(step) : undefined;
  if (found?.of !== 'text' || typeof found.value !== 'string' || isPlaceholder(found.value)) return step;
  const text = found.value;
  for (const { name, default: said } of parameters) {
    if (typeof said !== 'string' || said.length < shortestMention || !text.includes(said)) continue;
    const at = text.indexOf(said);
    const [before, after] = [text.slice(0, at), text.slice(at + said.length)];
    return withValue(step, {
      parameter: name,
      ...(before !== '' && { before }),
      ...(after !== '' && { after }),
    });
  }
  return step;
}

type Names = readonly [string, ...string[]];

/** Candidate names of its field, best first: its visible description, the name or id in its selector, the kind of value. */
function namesFor(step: RecipeStep, of: string): Names {
  const { selector = '', label = '' } = (step.action ?? {}) as { selector?: string; label?: string };
  const kind = typeActionOf(step)?.sensitive === true ? 'password' : '';
  const names = [slug(step.target?.text ?? '') || slug(label), slug(ownName(selector)), kind];
  const [first = slug(selector) || of, ...others] = names.filter(Boolean);
  return [first, ...others];
}

/** The id, or the value of the attribute, that a selector ends with. */
const ownName = (selector: string): string => /[#="]([^#="\s]+)"?\]?$/.exec(selector)?.[1] ?? '';

const longestName = 40;
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longestName)
    .replace(/_+$/, '');

function freshName(wanted: Names, taken: Set<string>): string {
  const last = wanted.at(-1) ?? wanted[0];
  let name = wanted.find((each) => !taken.has(each)) ?? last;
  for (let count = 2; taken.has(name); count += 1) name = `${last}_${count}`;
  taken.add(name);
  return name;
}
