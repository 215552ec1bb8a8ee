import { composedAncestors } from './dom.ts';

/** CSS pixels of the viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Scale of an element by the property `zoom`, which WebKit's boxes within the document do not include. */
function zoomOf(element: Element | null): number {
  let zoom = 1;
  for (const node of element ? composedAncestors(element) : [])
    zoom *= Number(getComputedStyle(node).zoom) || 1;
  return zoom;
}

const zoomed = (rect: DOMRect, zoom: number): DOMRect =>
  zoom === 1
    ? rect
    : new DOMRect(
        (rect.x + scrollX) * zoom - scrollX,
        (rect.y + scrollY) * zoom - scrollY,
        rect.width * zoom,
        rect.height * zoom,
      );

/** Box of an element in the viewport. */
export const rectOf = (element: Element): DOMRect =>
  zoomed((isBoxless(element) ? contentOf(element) : element).getBoundingClientRect(), zoomOf(element));

/** An element with `display: contents` has no box of its own; its children do. */
const isBoxless = (element: Element): boolean => getComputedStyle(element).display === 'contents';

function contentOf(element: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}

/** Scrolls to the element, or to the first box in it if it has none itself. */
export function bringIntoView(element: Element, options: ScrollIntoViewOptions): void {
  const boxes = isBoxless(element) ? element.querySelectorAll('*') : [];
  const first = [...boxes].find((child) => child.getClientRects().length > 0);
  (first ?? element).scrollIntoView({ ...options, behavior: 'instant' });
}

export const boxOf = (element: Element): Box => {
  const { x, y, width, height } = rectOf(element);
  return { x, y, width, height };
};

export function isWhollyInView(element: Element): boolean {
  const { left, right, top, bottom } = rectOf(element);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}

export const sameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/**
 * The middle of the visible part of the element, in whole pixels; for a wrapped inline element, of its first visible
 * line. Undefined if no part of it is in view.
 */
export function middleInView(element: Element | Range): Point | undefined {
  for (const { left, right, top, bottom } of rectsOf(element)) {
    const shown = {
      left: Math.max(0, left),
      right: Math.min(innerWidth, right),
      top: Math.max(0, top),
      bottom: Math.min(innerHeight, bottom),
    };
    const [width, height] = [shown.right - shown.left, shown.bottom - shown.top];
    if (width <= 0 || height <= 0) continue;
    return { x: Math.floor(shown.left + width / 2), y: Math.floor(shown.top + height / 2) };
  }
  return undefined;
}

function rectsOf(element: Element | Range): DOMRect[] {
  const zoom = zoomOf(element instanceof Range ? element.startContainer.parentElement : element);
  const withArea = (rects: Iterable<DOMRect>, least: number) =>
    [...rects].map((rect) => zoomed(rect, zoom)).filter(({ width, height }) => width * height > least);
  const rects = withArea(element.getClientRects(), 0.99);
  if (rects.length > 0) return rects;
  const own = withArea([element.getBoundingClientRect()], 0);
  return own.length > 0 || element instanceof Range ? own : withArea(contentOf(element).getClientRects(), 0);
}

/** Whether the middle of the element lies in the viewport, even if covered. */
export function isMiddleInView(element: Element): boolean {
  const [first] = rectsOf(element);
  if (!first) return false;
  const [x, y] = [first.left + first.width / 2, first.top + first.height / 2];
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/** Whether an ancestor that scrolls clips the element at this point. */
export function isClippedAt(element: Element, point: Point): boolean {
  for (const node of composedAncestors(element)) {
    const style = getComputedStyle(node);
    if (node !== element && isOutside(node, style, point)) return true;
    if (style.position === 'fixed') return false;
  }
  return false;
}

/** Whether a clipping box hides the point. */
function isOutside(box: Element, { overflowX, overflowY }: CSSStyleDeclaration, { x, y }: Point): boolean {
  if (overflowX === 'visible' && overflowY === 'visible') return false;
  if (box === document.documentElement || box === document.body) return false;
  const { left, right, top, bottom } = rectOf(box);
  return (
    (overflowX !== 'visible' && (x < left || x >= right)) ||
    (overflowY !== 'visible' && (y < top || y >= bottom))
  );
}
