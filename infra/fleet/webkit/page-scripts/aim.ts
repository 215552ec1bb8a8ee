import { composedAncestors, composedClosest, elementAt, isVisible, nameOf, nextFrame } from './dom.ts';
import { until, type NotYet } from './deadline.ts';
import { Failure, refusal } from './failure.ts';
import {
  boxOf,
  bringIntoView,
  isClippedAt,
  isMiddleInView,
  middleInView,
  sameBox,
  type Box,
  type Point,
} from './geometry.ts';
import { knownAs, refGone } from './refs.ts';
import { hasRested } from './stillness.ts';
import { isControl } from './controls.ts';
import { controlOf, isDisabled, isReadOnly } from './states.ts';
import { findAll, firstVisible, type Target } from './targets.ts';

/** An action's requirements of its element. `attached` alone needs no layout. */
export interface Needs {
  readonly visible: boolean;
  readonly enabled?: boolean;
  readonly editable?: boolean;
  readonly stable?: boolean;
}

export interface Ready {
  readonly element: Element;
  /** Number of elements that the target matches. */
  readonly matches: number;
  /** The matching elements. */
  readonly found: readonly Element[];
}

const notYet = (reason: string, category: NotYet['category'] = 'condition_not_met'): NotYet => ({
  category,
  reason,
});

/** The element of a target once it meets the action's requirements. */
export const ready = (target: Target, needs: Needs, endsAt: number): Promise<Ready> =>
  until<Ready>(endsAt, () => look(target, needs));

async function look(target: Target, needs: Needs): Promise<{ readonly value: Ready } | NotYet> {
  const found = findAll(target);
  const element = target.strict ? onlyOne(found, needs) : firstVisible(found);
  if (!element && target.ref !== undefined) throw refGone(target.ref);
  if (!element) return notYet('No element matches the target.', 'element_not_found');
  const wrong = lacks(element, needs);
  if (wrong !== undefined) return notYet(wrong);
  if (needs.stable && !hasRested(element)) {
    const before = boxOf(element);
    await nextFrame();
    if (!element.isConnected) return notYet('The element was removed.');
    if (!sameBox(before, boxOf(element))) return notYet('The element is moving.');
    const changed = lacks(element, needs);
    if (changed !== undefined) return notYet(changed);
  }
  return { value: { element, matches: target.strict ? 1 : found.length, found } };
}

/**
 * The only element that fits, for strict targets: controls are preferred to text, and uncovered elements to covered ones. Throws if several
 * are left, since waiting would not change that.
 */
function onlyOne(found: readonly Element[], { visible }: Needs): Element | undefined {
  const seen = found.filter(isVisible);
  if (seen.length === 0 && visible) return found[0];
  const fit = distinct(seen.length > 0 ? seen : found);
  const controls = preferred(fit, (element) => isControl(actedOn(element)));
  const [first, second] = preferred(controls, isUncovered);
  if (!first || !second) return first;
  throw ambiguous(first, second);
}

/** Drops elements that act on the same control as an earlier one, as with two words of one link. */
function distinct(elements: readonly Element[]): readonly Element[] {
  const controls = new Set<Element>();
  return elements.filter((element) => controls.size < controls.add(actedOn(element)).size);
}

const preferred = (
  elements: readonly Element[],
  isBetter: (element: Element) => boolean,
): readonly Element[] => {
  const better = elements.filter(isBetter);
  return better.length > 0 ? better : elements;
};

/** The control that an action on this element applies to. */
export const actedOn = (element: Element): Element => {
  const control = controlOf(composedClosest(element, interactive) ?? element);
  return isVisible(control) ? control : element;
};

function isUncovered(element: Element): boolean {
  const point = middleInView(element);
  return !point || isUncoveredAt(element, point);
}

export function isUncoveredAt(element: Element, { x, y }: Point): boolean {
  const hit = elementAt(x, y);
  return !hit || accepts(element, hit);
}

const ambiguous = (first: Element, second: Element): Failure =>
  new Failure(
    'page',
    'element_not_found',
    `The target matches ${knownOf(first)} and ${knownOf(second)} equally. Name one of them by its ref, or be more specific.`,
  );

const knownOf = (element: Element): string => {
  const ref = knownAs(element);
  return ref === undefined ? nameOf(element) : `${ref} (${nameOf(element)})`;
};

function lacks(element: Element, { visible, enabled, editable }: Needs): string | undefined {
  if (visible && !isVisible(element)) return 'The element is not visible.';
  if ((enabled || editable) && isDisabled(element)) return 'The element is disabled.';
  if (editable && isReadOnly(element)) return 'The element is read-only.';
  return undefined;
}

const interactive = 'button, [role="button"], a, [role="link"]';

/**
 * Whether hitting `hit` counts as hitting the element: it is the button or link around it, a descendant, or its label.
 */
export function accepts(element: Element, hit: Element): boolean {
  const whole = composedClosest(element, interactive) ?? element;
  for (const node of composedAncestors(hit)) {
    if (node === whole) return true;
    // A label counts as its control, a link in it as the link.
    if (element instanceof HTMLLabelElement && element.control && node.matches(interactive)) return false;
    if (node instanceof HTMLLabelElement && node.control === element) return true;
  }
  return false;
}

export interface Aim extends Ready {
  readonly point: Point;
}

/** The point where a finger hits the element, once it is visible, enabled, still, in view and not covered. */
export const aim = (target: Target, endsAt: number): Promise<Aim> =>
  until<Aim>(endsAt, async (attempt) => {
    const outcome = await look(target, { visible: true, enabled: true, stable: true });
    if (!('value' in outcome)) return outcome;
    const { element } = outcome.value;
    const before = boxOf(element);
    showIfHidden(element, attempt);
    // Scrolling may have moved other elements too: its position a frame later counts.
    if (!sameBox(before, boxOf(element)) && (await isMoving(element)))
      return notYet('The element is moving.');
    const hit = meet(element);
    return 'x' in hit ? { value: { ...outcome.value, point: hit } } : hit;
  });

async function isMoving(element: Element): Promise<boolean> {
  const before: Box = boxOf(element);
  await nextFrame();
  return !sameBox(before, boxOf(element));
}

function meet(element: Element): Point | NotYet {
  const point = middleInView(element);
  const cover = coverAt(element, point);
  if (!cover && point) return point;
  const beside = element instanceof HTMLLabelElement ? besideLinks(element) : undefined;
  return beside ?? cover ?? notYet('The element is outside of the viewport.');
}

/** A point where a label shows its own text. */
function besideLinks(label: HTMLLabelElement): Point | undefined {
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const point = middleInView(range);
    if (point && !coverAt(label, point)) return point;
  }
  return undefined;
}

/** The reason why a finger cannot hit the element; undefined if it can. */
export function coverAt(element: Element, point = middleInView(element)): NotYet | undefined {
  const hit = point && elementAt(point.x, point.y);
  if (point && hit && accepts(element, hit)) return undefined;
  return notYet(point ? hindrance(element, point, hit ?? null) : 'The element is outside of the viewport.');
}

const hindrance = (element: Element, point: Point, hit: Element | null): string =>
  !hit || isClippedAt(element, point)
    ? 'The element is outside of what its scroller shows.'
    : `The element is covered by ${nameOf(coverOf(element, hit))}.`;

/**
 * The outermost ancestor of the covering element that does not contain the target: a dialog rather than a word in it.
 */
function coverOf(element: Element, hit: Element): Element {
  const around = new Set(composedAncestors(element));
  let cover = hit;
  for (const node of composedAncestors(hit)) {
    if (around.has(node)) break;
    cover = node;
  }
  return cover;
}

const alignments = ['end', 'center', 'start'] as const;

/** Scrolls only if the element's middle is out of view, or covered by something that does not scroll with it. */
export function showIfHidden(element: Element, attempt = 0): void {
  const middle = middleInView(element);
  if (!isMiddleInView(element) || !middle || isClippedAt(element, middle)) {
    scrollIntoSight(element);
    return;
  }
  const hit = elementAt(middle.x, middle.y);
  if (attempt === 0 || !hit || accepts(element, hit) || !isLeftBehind(element, hit)) return;
  const block = alignments[attempt % alignments.length] ?? 'center';
  bringIntoView(element, { block, inline: block });
}

/**
 * WebKit's own method does not scroll when the element is in view, and otherwise moves each scroller as little as
 * necessary.
 */
function scrollIntoSight(element: Element): void {
  const scrollable = element as Element & { scrollIntoViewIfNeeded?: (center: boolean) => void };
  if (scrollable.scrollIntoViewIfNeeded) scrollable.scrollIntoViewIfNeeded(true);
  const middle = middleInView(element);
  if (middle && !isClippedAt(element, middle)) return;
  bringIntoView(element, { block: 'center', inline: 'center' });
}

/** Whether the covering element stays where it is when the element is scrolled. */
function isLeftBehind(element: Element, cover: Element): boolean {
  const scroller = scrollerAround(element);
  const around = [...composedAncestors(cover)];
  return (
    (scroller !== undefined && !around.includes(scroller)) ||
    around.some((node) => ['fixed', 'sticky'].includes(getComputedStyle(node).position))
  );
}

function scrollerAround(element: Element): Element | undefined {
  return [...composedAncestors(element)].find((node) => {
    if (node === document.scrollingElement) return false;
    const { overflowX, overflowY } = getComputedStyle(node);
    const scrolls = (overflow: string, hidden: number) => hidden > 0 && ['auto', 'scroll'].includes(overflow);
    return (
      scrolls(overflowY, node.scrollHeight - node.clientHeight) ||
      scrolls(overflowX, node.scrollWidth - node.clientWidth)
    );
  });
}

/** The element that a finger hits at the given point. */
export function elementUnder({ x, y }: Point): Element {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)
    throw refusal(`The point lies outside the viewport of ${innerWidth} by ${innerHeight}.`);
  return elementAt(x, y) ?? document.documentElement;
}
