import { composedParent, isVisible } from './dom.ts';
import { isEditableContent } from './states.ts';

const roles = [
  ...['button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio'],
  ...['option', 'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem'],
];
const selector = [
  ...['a[href]', 'area[href]', 'button', 'input:not([type="hidden" i])', 'select', 'textarea', 'summary'],
  ...['audio[controls]', 'video[controls]', '[onclick]', '[tabindex]:not([tabindex^="-"])'],
  ...roles.map((role) => `[role~="${role}" i]`),
].join(', ');

/** Whether a person would act on an element, judging by its markup. */
export const isControl = (element: Element): boolean => element.matches(selector) || isEditor(element);

const isEditor = (element: Element): boolean =>
  isEditableContent(element) && !(element.parentElement && isEditableContent(element.parentElement));

/** Large enough to be seen: more than the pixel that pages leave of a control they draw themselves. */
export function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width * height > 1 && isVisible(element);
}

/** The control of a label that is tapped because only the label is visible. */
export function controlBehind(element: Element): Element | undefined {
  if (!(element instanceof HTMLLabelElement) || !element.control) return undefined;
  return isSeen(element.control) ? undefined : element.control;
}

/** Whether only the pointer's shape shows that the element can be clicked. */
export function showsPointer(element: Element, { cursor }: CSSStyleDeclaration): boolean {
  if (cursor !== 'pointer') return false;
  const around = composedParent(element);
  return around !== null && getComputedStyle(around).cursor !== 'pointer';
}
