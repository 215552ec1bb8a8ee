import { ready } from './aim.ts';
import { assertMayTake, type Confined } from './confinement.ts';
import { isControl } from './controls.ts';
import { until, type NotYet } from './deadline.ts';
import { activeElement, asShown, nameOf, nextFrame } from './dom.ts';
import { enter, tellChanged } from './entering.ts';
import { refusal } from './failure.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

export interface Choice extends Confined {
  readonly values?: readonly string[];
  readonly indexes?: readonly number[];
}

interface Selected {
  readonly matches: number;
  readonly selected: number;
}

/**
 * Selects options of a list. Each attempt searches the list again, because pages replace it once they have its options,
 * and focuses it first, because pages redraw the options then.
 */
export const select = ({ target, ...choice }: { readonly target: Target } & Choice, endsAt: number) =>
  until<Selected>(endsAt, async () => {
    const { element, matches } = await ready(target, { visible: true, enabled: true }, endsAt);
    const list = controlOf(element);
    if (!(list instanceof HTMLSelectElement)) return noList(list);
    assertMayTake(list, choice);
    if (activeElement() !== list) {
      enter(list);
      await nextFrame();
    }
    if (!list.isConnected) return { category: 'condition_not_met', reason: 'The element was removed.' };
    const options = chosenOf(list, choice);
    if ('reason' in options) return options;
    for (const option of list.options) option.selected = options.includes(option);
    tellChanged(list);
    return { value: { matches, selected: options.length } };
  });

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

const isOptionDisabled = (option: HTMLOptionElement): boolean =>
  option.disabled || (option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled);

/** The options with this value or, if there are none, with this label or text. */
function namedBy(name: string, options: readonly HTMLOptionElement[]): readonly HTMLOptionElement[] {
  const byValue = options.filter(({ value }) => value === name);
  if (byValue.length > 0) return byValue;
  const shown = asShown(name);
  return options.filter(({ label, text }) => asShown(label) === shown || asShown(text) === shown);
}
