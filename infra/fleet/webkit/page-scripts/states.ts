import { getAriaDisabled } from 'ivya/utils';
import { composedClosest } from './dom.ts';

const controls =
  'a, input, textarea, button, select, [role="link"], [role="button"], [role="checkbox"], [role="radio"]';

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const textless = ['button', 'checkbox', 'file', 'hidden', 'image', 'radio', 'reset', 'submit'];

export const isTextField = (element: Element): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !textless.includes(element.type));

export const isEditableContent = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.isContentEditable;

/** The control that an element belongs to, or is a label of; the element itself if there is none. */
export function controlOf(element: Element): Element {
  if (element.matches('input, textarea, select') || isEditableContent(element)) return element;
  const around =
    composedClosest(element, 'button, [role="button"], [role="checkbox"], [role="radio"]') ?? element;
  if (around.matches(controls)) return around;
  const label = composedClosest(around, 'label');
  return label instanceof HTMLLabelElement && label.control ? label.control : around;
}

export const isDisabled = (element: Element): boolean => getAriaDisabled(controlOf(element));

const rolesOfReadOnly =
  '[role="checkbox"], [role="combobox"], [role="grid"], [role="gridcell"], [role="listbox"], [role="radiogroup"], ' +
  '[role="slider"], [role="spinbutton"], [role="textbox"], [role="searchbox"], [role="switch"], input, textarea, select';

export function isReadOnly(element: Element): boolean {
  const control = controlOf(element);
  if (control.matches('input, textarea') && control.hasAttribute('readonly')) return true;
  return control.matches(rolesOfReadOnly) && control.getAttribute('aria-readonly') === 'true';
}
