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

export const boxOf = (element: Element): Box => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
};

export const sameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/**
 * The middle of the part of the element that the viewport shows, in whole pixels; of an inline element that wraps, of its first
 * line that shows. Undefined when no part of it does.
 */
export function middleInView(element: Element): Point | undefined {
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

function rectsOf(element: Element): DOMRect[] {
  const rects = [...element.getClientRects()].filter(({ width, height }) => width * height > 0.99);
  if (rects.length > 0) return rects;
  const own = element.getBoundingClientRect();
  if (own.width * own.height > 0) return [own];
  // `display: contents` has no box of its own, its children have.
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
}

/** The middle of the element lies in the viewport, whatever covers it there. */
export function isMiddleInView(element: Element): boolean {
  const [first] = rectsOf(element);
  if (!first) return false;
  const [x, y] = [first.left + first.width / 2, first.top + first.height / 2];
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/** Some scroller around the element does not show it at this point. */
export function isClippedAt(element: Element, { x, y }: Point): boolean {
  for (const node of composedAncestors(element)) {
    const { position, overflowX, overflowY } = getComputedStyle(node);
    if (node !== element && node !== document.documentElement && node !== document.body) {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      if (overflowX !== 'visible' && (x < left || x >= right)) return true;
      if (overflowY !== 'visible' && (y < top || y >= bottom)) return true;
    }
    if (position === 'fixed') return false;
  }
  return false;
}
