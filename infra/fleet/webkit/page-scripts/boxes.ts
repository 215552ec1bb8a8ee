import { ready } from './aim.ts';
import { until } from './deadline.ts';
import { isVisible, nameOf, pause } from './dom.ts';
import { refusal } from './failure.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

const checkableRoles = [
  'checkbox',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'treeitem',
];

/** Whether it is checked; null if the element has no such state. */
function checkedState(element: Element): boolean | null {
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type))
    return element.checked;
  const isCheckable = checkableRoles.includes(element.getAttribute('role') ?? '');
  if (!isCheckable) return null;
  return (element.getAttribute('aria-checked') ?? element.getAttribute('aria-selected')) === 'true';
}

const isRadio = (element: Element): boolean =>
  (element instanceof HTMLInputElement && element.type === 'radio') ||
  (element.getAttribute('role') ?? '').includes('radio');

/** The box, and where to tap it: on itself or, if it is hidden, on a visible label. */
export interface Checkable {
  readonly box: Element;
  readonly surface: Element;
  readonly matches: number;
  readonly checked: boolean;
}

export const findCheckable = (target: Target, checked: boolean, endsAt: number): Promise<Checkable> =>
  until(endsAt, async () => {
    const { element, matches } = await ready(target, { visible: false }, endsAt);
    const box = controlOf(element);
    const state = checkedState(box);
    if (state === null) throw refusal(`The element is no check box: it is ${nameOf(box)}.`);
    if (state && !checked && isRadio(box))
      throw refusal('A radio button is unchecked by checking another one.');
    const labels = box instanceof HTMLInputElement ? [...(box.labels ?? [])] : [];
    const surface = [box, element, ...labels].find(isVisible);
    return surface
      ? { value: { box, surface, matches, checked: state } }
      : { category: 'condition_not_met', reason: 'The element is not visible.' };
  });

/** Milliseconds that a page may take to show a box as checked or unchecked. */
const reactMs = 1_000;

/** Whether the box, or its replacement by the page, gets that state. Pages that draw their own boxes may take a moment. */
export async function becomes(
  present: () => Element | undefined,
  checked: boolean,
  endsAt: number,
): Promise<boolean> {
  const until = Math.min(endsAt, performance.now() + reactMs);
  for (;;) {
    const box = present();
    if (box && checkedState(box) === checked) return true;
    if (performance.now() >= until || !box) return false;
    await pause(10);
  }
}
