import { assertMayTake, type Confined } from './confinement.ts';
import { keepSecret } from './secrets.ts';
import { nameOf } from './dom.ts';
import { entering, tellChanged, type Entry } from './entering.ts';
import { refusal } from './failure.ts';
import { isEditableContent, isTextField, type TextField } from './states.ts';

/** Types of `input` that are filled by setting their value, each with an example. */
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

/** The field never accepts text, so there is no retry. */
function assertTakesText(element: Element): void {
  if (isTextField(element) || isEditableContent(element)) return;
  throw refusal(`The element takes no text: it is ${nameOf(element)}.`);
}

const entered = (entry: Entry, endsAt: number) =>
  entering(entry, { visible: true, enabled: true, editable: true }, assertTakesText, endsAt);

/** Empties a field as if everything was selected and deleted. Ranges and colors get their default value. */
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

export interface TypedText extends Entry, Confined {
  readonly text: string;
  readonly clear: boolean;
  /** Whether the text is a secret. */
  readonly sensitive: boolean;
}

/** Prepares a field for keys, or sets its value where keys cannot. Returns whether keys are still to be sent. */
export async function prepareTyping({ text, clear, sensitive, onlyOn, ...entry }: TypedText, endsAt: number) {
  const { field, matches, isEntered } = await entered(entry, endsAt);
  assertMayTake(field, { ...(onlyOn && { onlyOn }) });
  if (sensitive) keepSecret(field);
  const isByValue = field instanceof HTMLInputElement && field.type in valueTypes;
  if (isEntered && isByValue) setValue(field, text.trim());
  if (isEntered && !isByValue && clear) empty(field);
  return { keys: !isByValue, matches, isEntered };
}

export async function clear(entry: Entry, endsAt: number) {
  const { field, matches, isEntered } = await entered(entry, endsAt);
  if (isEntered) empty(field);
  return { matches, isEntered };
}
