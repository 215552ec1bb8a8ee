import { composedAncestors, composedClosest, elementAt, isVisible, nameOf, nextFrame } from './dom.ts';
import { until, type NotYet } from './deadline.ts';
import { refusal } from './failure.ts';
import {
  boxOf,
  isClippedAt,
  isMiddleInView,
  middleInView,
  sameBox,
  type Box,
  type Point,
} from './geometry.ts';
import { hasRested } from './stillness.ts';
import { isDisabled, isReadOnly } from './states.ts';
import { findAll, firstVisible, type Target } from './targets.ts';

/** What an action needs of its element before it is done. `attached` alone is for what needs no look at it. */
export interface Needs {
  readonly visible: boolean;
  readonly enabled?: boolean;
  readonly editable?: boolean;
  readonly stable?: boolean;
}

export interface Ready {
  readonly element: Element;
  /** How many elements the target names. */
  readonly matches: number;
}

/** Whether the page has put another element in the place of one that was found, which then is no longer in the document. */
export function replacements(target: Target): () => boolean {
  const before = new Set(findAll(target));
  // One that is gone for good leaves fewer, all of which were there: then the next of a list must not be taken for it.
  return () => {
    const now = findAll(target);
    const first = firstVisible(now);
    return first !== undefined && !before.has(first) && now.length >= before.size;
  };
}

const notYet = (reason: string, category: NotYet['category'] = 'condition_not_met'): NotYet => ({
  category,
  reason,
});

/** The element of a target once it is as the action needs it. */
export const ready = (target: Target, needs: Needs, endsAt: number): Promise<Ready> =>
  until<Ready>(endsAt, () => look(target, needs));

async function look(target: Target, needs: Needs): Promise<{ readonly value: Ready } | NotYet> {
  const found = findAll(target);
  const element = firstVisible(found);
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
  return { value: { element, matches: found.length } };
}

function lacks(element: Element, { visible, enabled, editable }: Needs): string | undefined {
  if (visible && !isVisible(element)) return 'The element is not visible.';
  if ((enabled || editable) && isDisabled(element)) return 'The element is disabled.';
  if (editable && isReadOnly(element)) return 'The element is read-only.';
  return undefined;
}

const interactive = 'button, [role="button"], a, [role="link"]';

/** Whether what a finger meets counts as the element: the button or link it is in, what is inside of it, or its label. */
export function accepts(element: Element, hit: Element): boolean {
  const whole = composedClosest(element, interactive) ?? element;
  for (const node of composedAncestors(hit)) {
    if (node === whole) return true;
    if (node instanceof HTMLLabelElement && node.control === element) return true;
  }
  return false;
}

export interface Aim extends Ready {
  readonly point: Point;
}

/** Where a finger that comes down now meets the element, once it is visible, enabled, still, in view and not covered. */
export const aim = (target: Target, endsAt: number): Promise<Aim> =>
  until<Aim>(endsAt, async (attempt) => {
    const outcome = await look(target, { visible: true, enabled: true, stable: true });
    if (!('value' in outcome)) return outcome;
    const { element } = outcome.value;
    const before = boxOf(element);
    showIfHidden(element, attempt);
    // Scrolling may have moved more than the element: what counts is where it is a frame later.
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
  if (!point) return notYet('The element is outside of the viewport.');
  const hit = elementAt(point.x, point.y);
  if (!hit || !accepts(element, hit)) return notYet(hindrance(element, point, hit));
  return point;
}

const hindrance = (element: Element, point: Point, hit: Element | null): string =>
  !hit || isClippedAt(element, point)
    ? 'The element is outside of what its scroller shows.'
    : `The element is covered by ${nameOf(coverOf(element, hit))}.`;

/** The outermost element of what is in front that does not hold the target too: the dialog rather than a word in it. */
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

/** Scrolls only an element whose middle is out of sight, or one that something which does not scroll with it lies upon. */
export function showIfHidden(element: Element, attempt = 0): void {
  const middle = middleInView(element);
  if (!isMiddleInView(element) || !middle || isClippedAt(element, middle)) {
    scrollIntoSight(element);
    return;
  }
  const hit = elementAt(middle.x, middle.y);
  if (attempt === 0 || !hit || accepts(element, hit) || !staysInPlace(hit)) return;
  const block = alignments[attempt % alignments.length] ?? 'center';
  element.scrollIntoView({ block, inline: block, behavior: 'instant' });
}

/** WebKit's own method moves nothing that is in sight already, and each scroller around the element as little as it must. */
function scrollIntoSight(element: Element): void {
  const scrollable = element as Element & { scrollIntoViewIfNeeded?: (center: boolean) => void };
  if (scrollable.scrollIntoViewIfNeeded) scrollable.scrollIntoViewIfNeeded(true);
  const middle = middleInView(element);
  if (middle && !isClippedAt(element, middle)) return;
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}

const staysInPlace = (hit: Element): boolean =>
  [...composedAncestors(hit)].some((node) => ['fixed', 'sticky'].includes(getComputedStyle(node).position));

/** The element that a finger meets at a point that was given as such. */
export function elementUnder({ x, y }: Point): Element {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)
    throw refusal(`The point lies outside the viewport of ${innerWidth} by ${innerHeight}.`);
  return elementAt(x, y) ?? document.documentElement;
}
