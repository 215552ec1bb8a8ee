import { ready } from './aim.ts';
import { keepSecret } from './secrets.ts';
import { activeElement, isVisible, nameOf, pause } from './dom.ts';
import { until } from './deadline.ts';
import { Failure, refusal } from './failure.ts';
import { controlOf, isEditableContent } from './states.ts';
import type { Target } from './targets.ts';

export interface Named {
  readonly target: Target;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Types of `input` that are filled by value, with an example of one. */
const valueTypes: Readonly<Record<string, string>> = {
  color: 'a color such as #ff8800',
  date: 'a date such as 2024-05-31',
  'datetime-local': 'a date and time such as 2024-05-31T13:05',
  month: 'a month such as 2024-05',
  number: 'a number such as 12.5',
  range: 'a number within its limits and on one of its steps',
  time: 'a time such as 13:05',
  week: 'a week such as 2024-W22',
};
const textless = ['button', 'checkbox', 'file', 'hidden', 'image', 'radio', 'reset', 'submit'];

const isTextField = (element: Element): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !textless.includes(element.type));

/** Text can never be typed here, so there is nothing to wait for. */
function assertTakesText(element: Element): void {
  if (isTextField(element) || isEditableContent(element)) return;
  throw refusal(`The element takes no text: it is ${nameOf(element)}.`);
}

const editable = { visible: true, enabled: true, editable: true };

async function editableField(target: Target, endsAt: number) {
  const { element, matches } = await ready(target, editable, endsAt);
  const field = controlOf(element);
  assertTakesText(field);
  return { field, matches };
}

const hasFocus = (element: Element): boolean => {
  const active = activeElement();
  return active === element || (isEditableContent(element) && element.contains(active));
};

/** The focus, with the caret at the end of what is there; a field that has the focus keeps its caret and selection. */
function enter(element: Element): void {
  if (hasFocus(element)) return;
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: true });
  toEnd(element);
}

function toEnd(element: Element): void {
  if (isTextField(element)) {
    if (element.selectionStart === null) getSelection()?.modify('move', 'forward', 'documentboundary');
    else element.setSelectionRange(element.value.length, element.value.length);
  } else if (isEditableContent(element)) {
    getSelection()?.selectAllChildren(element);
    getSelection()?.collapseToEnd();
  }
}

export interface Entry extends Named {
  /** A finger has just put the focus there, and the caret wherever it was. */
  readonly isTapped?: boolean;
}

/** Whether the element could be entered: a frame of another origin gets the focus from a finger only, until one was in it. */
function canEnter(element: Element, { isTapped = false }: Entry): boolean {
  enter(element);
  if (isTapped) toEnd(element);
  return isTapped || parent === window || hasFocus(element);
}

export function tellChanged(element: Element): void {
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Empties a field as a person does who selects everything and deletes it; ranges and colors go back to their first value. */
function empty(field: Element): void {
  if (field instanceof HTMLInputElement && field.type in valueTypes) {
    if (field.value === '') return;
    field.value = '';
    tellChanged(field);
  } else if (isTextField(field)) {
    if (field.value === '') return;
    field.select();
    document.execCommand('delete');
    if (field.value !== '') setValue(field, '');
  } else {
    getSelection()?.selectAllChildren(field);
    document.execCommand('delete');
  }
}

function setValue(field: TextField, text: string): void {
  const before = field.value;
  const wanted = field.type === 'color' ? text.toLowerCase() : text;
  field.value = wanted;
  const isKept = ['range', 'color'].includes(field.type)
    ? field.value === wanted
    : field.value !== '' || text === '';
  if (!isKept) {
    field.value = before;
    throw refusal(`A field of type ${field.type} takes ${valueTypes[field.type] ?? 'other text'}.`);
  }
  tellChanged(field);
}

export interface TypedText extends Entry {
  readonly text: string;
  readonly clear: boolean;
  /** Whether what is typed is told to nobody. */
  readonly sensitive: boolean;
}

/** Makes a field ready for keys, or fills one whose value is no text that keys write. Gives whether keys are still wanted. */
export async function prepareTyping({ text, clear, sensitive, ...entry }: TypedText, endsAt: number) {
  const { field, matches } = await editableField(entry.target, endsAt);
  if (sensitive) keepSecret(field);
  const isByValue = field instanceof HTMLInputElement && field.type in valueTypes;
  const isEntered = canEnter(field, entry);
  if (isEntered && isByValue) setValue(field, text.trim());
  if (isEntered && !isByValue && clear) empty(field);
  return { keys: !isByValue, matches, isEntered };
}

export async function clear(entry: Entry, endsAt: number) {
  const { field, matches } = await editableField(entry.target, endsAt);
  const isEntered = canEnter(field, entry);
  if (isEntered) empty(field);
  return { matches, isEntered };
}

export async function focus(entry: Entry, endsAt: number) {
  const { element, matches } = await ready(entry.target, { visible: true, enabled: true }, endsAt);
  return { matches, isEntered: canEnter(controlOf(element), entry) };
}

export interface Choice {
  readonly values?: readonly string[];
  readonly indexes?: readonly number[];
}

export async function select({ target, values = [], indexes = [] }: Named & Choice, endsAt: number) {
  const { element, matches } = await ready(target, { visible: true, enabled: true }, endsAt);
  const list = controlOf(element);
  if (!(list instanceof HTMLSelectElement)) throw refusal(`The element is no list: it is ${nameOf(list)}.`);
  const chosen = await until(endsAt, () => {
    const options = [...list.options];
    const found = values.map((value) => options.filter((option) => isNamed(option, value)));
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

const isNamed = (option: HTMLOptionElement, name: string): boolean =>
  option.value === name || option.label.trim() === name.trim() || option.text === name.trim();

const checkableRoles = [
  'checkbox',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'treeitem',
];

/** Null where an element has no such state. */
function checkedState(element: Element): boolean | null {
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type))
    return element.checked;
  const isCheckable = checkableRoles.includes(element.getAttribute('role') ?? '');
  return isCheckable ? element.getAttribute('aria-checked') === 'true' : null;
}

const isRadio = (element: Element): boolean =>
  (element instanceof HTMLInputElement && element.type === 'radio') ||
  (element.getAttribute('role') ?? '').includes('radio');

/** The box, where a finger would tap it: on itself or, where it is hidden, on a label of its that is not. */
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

/** Milliseconds a page may take to show a box as it was tapped. */
const reactMs = 1_000;

/** Whether the box came to that state: pages that draw their own may take a moment. */
export async function becomes(box: Element, checked: boolean, endsAt: number): Promise<boolean> {
  const until = Math.min(endsAt, performance.now() + reactMs);
  while (checkedState(box) !== checked) {
    if (performance.now() >= until || !box.isConnected) return false;
    await pause(10);
  }
  return true;
}

/** Contents that are being brought into the document, by their ids. */
const received = new Map<string, Uint8Array<ArrayBuffer>[]>();

export interface Piece {
  readonly content: string;
  readonly data_base64: string;
}

/** Takes the next piece of a content. */
export function receive({ content, data_base64 }: Piece): null {
  const pieces = received.get(content) ?? [];
  pieces.push(bytesOf(data_base64));
  received.set(content, pieces);
  return null;
}

export interface ReceivedFile {
  readonly name: string;
  readonly mime: string;
  /** The id of its content, and how many pieces that has. */
  readonly content: string;
  readonly pieces: number;
}

export async function upload(
  { target, files }: Named & { readonly files: readonly ReceivedFile[] },
  endsAt: number,
) {
  try {
    const { element, matches } = await ready(target, { visible: false, enabled: true }, endsAt);
    const field = controlOf(element);
    if (!(field instanceof HTMLInputElement) || field.type !== 'file')
      throw refusal(`The element takes no files: it is ${nameOf(field)}.`);
    if (files.length > 1 && !field.multiple) throw refusal('The field takes one file.');
    const transfer = new DataTransfer();
    for (const { name, mime, content, pieces } of files) {
      const parts = received.get(content) ?? [];
      // Some of it went to a document that this one has replaced.
      if (parts.length !== pieces)
        throw new Failure('page', 'condition_not_met', 'The page was replaced while it was given the files.');
      transfer.items.add(new File(parts, name, { type: mime }));
    }
    field.files = transfer.files;
    tellChanged(field);
    return { matches };
  } finally {
    received.clear();
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
