import { ready } from './aim.ts';
import { assertMayTake, type Confined } from './confinement.ts';
import { isControl } from './controls.ts';
import { until, type NotYet } from './deadline.ts';
import { asShown, nameOf } from './dom.ts';
import { enter, tellChanged } from './entering.ts';
import { refusal } from './failure.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

export interface Choice extends Confined {
  readonly values?: readonly string[];
  readonly indexes?: readonly number[];
}

interface Chosen {
  readonly list: HTMLSelectElement;
  readonly options: readonly HTMLOptionElement[];
  readonly matches: number;
}

/** Selects options of a list. Each attempt searches the list again, because pages replace it once they have its options. */
export async function select({ target, ...choice }: { readonly target: Target } & Choice, endsAt: number) {
  const { list, options, matches } = await until<Chosen>(endsAt, async () => {
    const found = await ready(target, { visible: true, enabled: true }, endsAt);
    const control = controlOf(found.element);
    if (!(control instanceof HTMLSelectElement)) return noList(control);
    const chosen = chosenOf(control, choice);
    return 'reason' in chosen
      ? chosen
      : { value: { list: control, options: chosen, matches: found.matches } };
  });
  assertMayTake(list, choice);
  enter(list);
  for (const option of list.options) option.selected = options.includes(option);
  tellChanged(list);
  return { matches, selected: options.length };
}

/** A label or a box may appear before its list. Other controls do not become lists. */
function noList(element: Element): NotYet {
  const reason = `The element is no list: it is ${nameOf(element)}.`;
  if (isControl(element)) throw refusal(reason);
  return { category: 'condition_not_met', reason };
}

function chosenOf(
  list: HTMLSelectElement,
  { values = [], indexes = [] }: Choice,
): readonly HTMLOptionElement[] | NotYet {
  const options = [...list.options];
  const named = values.map((value) => namedBy(value, options));
  const byIndex = indexes.map((index) => options.slice(index, index + 1));
  if ([...named, ...byIndex].some(({ length }) => length === 0))
    return { category: 'element_not_found', reason: 'The list has no such option.' };
  const all = new Set([...named, ...byIndex].flat());
  const enabled = options.filter((option) => all.has(option) && !isOptionDisabled(option));
  if (enabled.length === 0) return { category: 'condition_not_met', reason: 'The option is disabled.' };
  return list.multiple ? enabled : enabled.slice(0, 1);
}

const isOptionDisabled = ({ disabled, parentElement }: HTMLOptionElement): boolean =>
  disabled || (parentElement instanceof HTMLOptGroupElement && parentElement.disabled);

/** The options with this value or, if there are none, with this label or text. */
function namedBy(name: string, options: readonly HTMLOptionElement[]): readonly HTMLOptionElement[] {
  const byValue = options.filter(({ value }) => value === name);
  if (byValue.length > 0) return byValue;
  const shown = asShown(name);
  return options.filter(({ label, text }) => asShown(label) === shown || asShown(text) === shown);
}
