import { ready, type Needs } from './aim.ts';
import { until } from './deadline.ts';
import { activeElement, composedAncestors, nameOf } from './dom.ts';
import { refusal } from './failure.ts';
import { controlOf, isEditableContent, isTextField } from './states.ts';
import type { Target } from './targets.ts';

export interface Entry {
  readonly target: Target;
  /** Whether a tap has just focused it, and placed the caret. */
  readonly isTapped?: boolean;
}

export interface Entered {
  /** The element that has the focus now. */
  readonly field: Element;
  readonly matches: number;
  /**
   * Whether the element could be focused. A frame of another origin can only be focused by a finger until it has been
   * once.
   */
  readonly isEntered: boolean;
}

/**
 * Focuses an element once that is possible, which a modal dialog may prevent, and puts the caret at the end of its content. The page may
 * move the focus to another field, such as a search overlay.
 */
export const entering = (
  { target, isTapped = false }: Entry,
  needs: Needs,
  assertFits: (field: Element) => void,
  endsAt: number,
): Promise<Entered> =>
  until<Entered>(endsAt, async () => {
    const { element, matches } = await ready(target, needs, endsAt);
    const field = controlOf(element);
    assertFits(field);
    const before = activeElement();
    enter(field);
    if (isTapped) toEnd(field);
    const entered = enteredBy(field, isTapped ? null : before);
    if (entered) return { value: { field: entered, matches, isEntered: true } };
    if (parent !== window && !isTapped && mayBeTapped(field))
      return { value: { field, matches, isEntered: false } };
    if (field.isConnected && !canFocus(field))
      throw refusal(`The element takes no focus: it is ${nameOf(field)}.`);
    return { category: 'condition_not_met', reason: `The element does not take the focus${hint()}.` };
  });

const hint = (): string => (parent === window ? '' : ': its frame may need a tap first');

/** The element if it has the focus, or what the page has focused in its place. `before` had the focus before. */
function enteredBy(field: Element, before: Element | null): Element | undefined {
  if (hasFocus(field)) return field;
  const now = activeElement();
  if (!now || now === before || !takesText(now)) return undefined;
  // A part of an editor is not focused itself.
  return now.contains(field) ? field : now;
}

/** Elements that a tap only focuses. Anything else might be activated by it. */
const mayBeTapped = (element: Element): boolean => takesText(element) || element instanceof HTMLSelectElement;

const takesText = (element: Element): boolean => isTextField(element) || isEditableContent(element);

const canFocus = (element: Element): boolean =>
  element.hasAttribute('tabindex') ||
  isEditableContent(element) ||
  element.shadowRoot?.delegatesFocus === true ||
  ((element instanceof HTMLElement || element instanceof SVGElement) && element.tabIndex >= 0);

/** The focus is on the element itself or, for an editor or a shadow host that delegates it, within it. */
function hasFocus(element: Element): boolean {
  const active = activeElement();
  if (active === element || !active) return active === element;
  const isAround = isEditableContent(element) || element.shadowRoot !== null;
  return isAround && [...composedAncestors(active)].includes(element);
}

/** A focused field keeps its caret and selection. */
export function enter(element: Element): void {
  if (hasFocus(element) && hasCaret(element)) return;
  const active = activeElement();
  // Without a focused element, the page itself has the focus.
  if (element === document.body && active !== element && active instanceof HTMLElement) active.blur();
  else if (element instanceof HTMLElement || element instanceof SVGElement)
    element.focus({ preventScroll: true });
  toEnd(element);
}

/** The body of an editable page has the focus without a caret at first. */
const hasCaret = (element: Element): boolean =>
  !isEditableContent(element) || element.contains(getSelection()?.anchorNode ?? null);

function toEnd(element: Element): void {
  if (isTextField(element)) {
    if (element.selectionStart === null) getSelection()?.modify('move', 'forward', 'documentboundary');
    else element.setSelectionRange(element.value.length, element.value.length);
  } else if (isEditableContent(element)) {
    getSelection()?.selectAllChildren(element);
    getSelection()?.collapseToEnd();
  }
}

export async function focus(entry: Entry, endsAt: number) {
  const { matches, isEntered } = await entering(
    entry,
    { visible: true, enabled: true },
    () => undefined,
    endsAt,
  );
  return { matches, isEntered };
}

/** Dispatches the events of an input that was not made by keys. */
export function tellChanged(element: Element): void {
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
