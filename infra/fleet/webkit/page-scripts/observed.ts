import {
  getAriaChecked,
  getAriaExpanded,
  getAriaRole,
  getAriaSelected,
  getElementAccessibleName,
} from 'ivya/utils';
import { isUncoveredAt } from './aim.ts';
import { activeElement, asShown, textOf } from './dom.ts';
import { isClippedAt, middleInView, type Point } from './geometry.ts';
import { refOf } from './refs.ts';
import { isSecret } from './secrets.ts';
import { isDisabled, isEditableContent, isReadOnly } from './states.ts';

/** A reported control with its position. */
export interface Observed {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value?: string;
  readonly options?: readonly string[];
  readonly states?: readonly string[];
  /** The middle of its visible part; null if there is none. */
  readonly at: Point | null;
}

const longest = { name: 300, value: 300, option: 100, options: 30, link: 4000 } as const;

/** Targets of a link, or of the form of a control. */
export function leadsTo(control: Element): readonly string[] {
  const anchor = control.closest('a[href], area[href]');
  const link = anchor && 'href' in anchor && typeof anchor.href === 'string' ? [anchor.href] : [];
  const form = 'form' in control && control.form instanceof HTMLFormElement ? control.form : null;
  const action = form && Element.prototype.getAttribute.call(form, 'action');
  const actions = [action, form && control.getAttribute('formaction')];
  const sent = actions.flatMap((each) =>
    each && URL.canParse(each, document.baseURI) ? [new URL(each, document.baseURI).href] : [],
  );
  return [...link, ...sent].filter((address) => address.length <= longest.link);
}

/** The beginning of a page's text, as well-formed Unicode. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

interface Placed {
  readonly control: Element;
  /** The visible part of the control that can be touched: the control itself, or its label. */
  readonly surface: Element;
  /** The middle of the visible part of the surface; null if there is none. */
  readonly at: Point | null;
}

export function observed(placed: Placed): Observed {
  const { control, surface, at } = placed;
  const role = roleOf(control);
  const name = cut(nameFor(control, surface, role), longest.name);
  const value = valueOf(control);
  const states = statesOf(placed);
  return {
    ref: refOf(surface, `${role} ${name}`),
    role,
    name,
    ...(value !== undefined && { value: cut(value, longest.value) }),
    ...(control instanceof HTMLSelectElement && { options: optionsOf(control) }),
    ...(states.length > 0 && { states }),
    at,
  };
}

export function shownAt(element: Element): Point | null {
  const middle = middleInView(element);
  return middle && !isClippedAt(element, middle) ? middle : null;
}

const fields = ['textbox', 'searchbox', 'combobox', 'spinbutton'];

export function roleOf(control: Element): string {
  if (control instanceof HTMLInputElement && control.type === 'file') return 'file';
  const role = getAriaRole(control) ?? 'generic';
  return isEditableContent(control) && !fields.includes(role) ? 'textbox' : role;
}

/** Its accessible name or, without one, the text that a person would see as its name. */
export function nameFor(control: Element, surface: Element, role: string): string {
  const name = asShown(getElementAccessibleName(control, false));
  if (name !== '') return name;
  const said = ['aria-label', 'placeholder', 'title'].map((attribute) => control.getAttribute(attribute));
  return asShown(said.find(Boolean) ?? '') || (fields.includes(role) ? '' : asShown(textOf(surface)));
}

const unvalued = ['button', 'checkbox', 'image', 'radio', 'reset', 'submit'];

/** Undefined if it has no value, or a secret one. */
function valueOf(control: Element): string | undefined {
  if (isSecret(control)) return undefined;
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].map(({ text }) => asShown(text)).join(', ');
  if (control instanceof HTMLTextAreaElement) return control.value;
  if (control instanceof HTMLInputElement) {
    if (control.type === 'file') return [...(control.files ?? [])].map(({ name }) => name).join(', ');
    return unvalued.includes(control.type) ? undefined : control.value;
  }
  if (isEditableContent(control)) return textOf(control);
  return control.getAttribute('aria-valuetext') ?? control.getAttribute('aria-valuenow') ?? undefined;
}

const optionsOf = ({ options }: HTMLSelectElement): string[] =>
  Array.from(options)
    .slice(0, longest.options)
    .map(({ text }) => cut(asShown(text), longest.option));

const isFilledSecret = (control: Element): boolean =>
  isSecret(control) && ('value' in control ? control.value : control.textContent.trim()) !== '';

const isRequired = (control: Element): boolean =>
  control.matches(':required') || control.getAttribute('aria-required') === 'true';

const states: readonly (readonly [name: string, holds: (control: Element, placed: Placed) => boolean])[] = [
  ['disabled', isDisabled],
  ['readonly', isReadOnly],
  ['checked', (control) => getAriaChecked(control) === true],
  ['selected', getAriaSelected],
  ['expanded', (control) => getAriaExpanded(control) === true],
  ['focused', (control) => activeElement() === control],
  ['required', isRequired],
  ['filled', isFilledSecret],
  ['covered', (_control, { surface, at }) => at !== null && !isUncoveredAt(surface, at)],
];

const statesOf = (placed: Placed): string[] =>
  states.filter(([, holds]) => holds(placed.control, placed)).map(([name]) => name);
