import { activeElement } from './dom.ts';
import { boxOf, type Box } from './geometry.ts';
import { isSecret, isWithinSecret, keepSecret, withoutSecrets } from './secrets.ts';

/** Inputs that do not take text from a keyboard. */
const keyless = [
  'button',
  'checkbox',
  'color',
  'file',
  'hidden',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
];
/** Maximal reported characters of a field's attributes. */
const longest = 40;
/** Maximal reported characters of a selection. */
const longestSelection = 10_000;

/**
 * The keyboard that a phone would show for the focused field; null if none. A secret field stays marked as secret, since a person may be
 * about to type into it and the page may change its type.
 */
export function keyboardWanted() {
  const field = activeElement();
  if (!field || !takesText(field)) return null;
  if (isSecret(field)) keepSecret(field);
  const kind =
    field instanceof HTMLInputElement
      ? field.type
      : field instanceof HTMLTextAreaElement
        ? 'textarea'
        : 'editable';
  const inputmode = (field.getAttribute('inputmode') ?? '').slice(0, longest);
  return { kind: kind.slice(0, longest), inputmode, ...seen(boxOf(field)) };
}

/**
 * Converts a box to the person's view. `shown`: CSS pixels across the screen, as the page may be pinched or laid out
 * wider.
 */
function seen({ x, y, width, height }: Box) {
  const { offsetLeft = 0, offsetTop = 0, width: shown = innerWidth } = visualViewport ?? {};
  return { box: { x: x - offsetLeft, y: y - offsetTop, width, height }, shown };
}

function takesText(field: Element): boolean {
  if (field instanceof HTMLInputElement) return !keyless.includes(field.type) && !field.readOnly;
  if (field instanceof HTMLTextAreaElement) return !field.readOnly;
  return field instanceof HTMLElement && field.isContentEditable;
}

/** The selected text, without secrets. */
export function selection() {
  const field = activeElement();
  if (field && isSecret(field)) return { text: '' };
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const text = isField ? selectedIn(field) : selectedInPage();
  return { text: text.slice(0, longestSelection) };
}

const selectedIn = ({
  selectionStart,
  selectionEnd,
  value,
}: HTMLInputElement | HTMLTextAreaElement): string => value.slice(selectionStart ?? 0, selectionEnd ?? 0);

function selectedInPage(): string {
  const selected = getSelection();
  const around = selected?.rangeCount ? selected.getRangeAt(0).commonAncestorContainer : null;
  const element = around instanceof Element ? around : (around?.parentElement ?? null);
  if (!selected || !element || isWithinSecret(element)) return '';
  return withoutSecrets(element, selected.toString());
}
