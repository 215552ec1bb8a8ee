import { ready } from './aim.ts';
import { until } from './deadline.ts';
import { nameOf } from './dom.ts';
import { enter, tellChanged } from './entering.ts';
import { refusal } from './failure.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

export interface Choice {
  readonly values?: readonly string[];
  readonly indexes?: readonly number[];
}

export async function select(
  { target, values = [], indexes = [] }: { readonly target: Target } & Choice,
  endsAt: number,
) {
  const { element, matches } = await ready(target, { visible: true, enabled: true }, endsAt);
  const list = controlOf(element);
  if (!(list instanceof HTMLSelectElement)) throw refusal(`The element is no list: it is ${nameOf(list)}.`);
  const chosen = await until(endsAt, () => {
    const options = [...list.options];
    const found = values.map((value) => namedBy(value, options));
    const byIndex = indexes.map((index) => options.slice(index, index + 1));
    if ([...found, ...byIndex].some(({ length }) => length === 0))
      return { category: 'element_not_found', reason: 'The list has no such option.' };
    const all = new Set([...found, ...byIndex].flat());
    const enabled = options.filter((option) => all.has(option) && !isOptionDisabled(option));
    return enabled.length === 0
      ? { category: 'condition_not_met', reason: 'The option is disabled.' }
      : { value: list.multiple ? enabled : enabled.slice(0, 1) };
  });
  enter(list);
  for (const option of list.options) option.selected = chosen.includes(option);
  tellChanged(list);
  return { matches, selected: chosen.length };
}

const isOptionDisabled = ({ disabled, parentElement }: HTMLOptionElement): boolean =>
  disabled || (parentElement instanceof HTMLOptGroupElement && parentElement.disabled);

/** The options of this value or, where there are none, of this label or text. */
function namedBy(name: string, options: readonly HTMLOptionElement[]): readonly HTMLOptionElement[] {
  const byValue = options.filter(({ value }) => value === name);
  if (byValue.length > 0) return byValue;
  return options.filter(({ label, text }) => label.trim() === name.trim() || text === name.trim());
}
