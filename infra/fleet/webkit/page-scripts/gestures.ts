import { elementUnder, ready, showIfHidden } from './aim.ts';
import { composedAncestors, composedClosest, nextFrame } from './dom.ts';
import { Failure } from './failure.ts';
import { bringIntoView, type Point } from './geometry.ts';
import type { Target } from './targets.ts';

export interface Glide {
  readonly from: Point;
  readonly to: Point;
  readonly duration_ms: number;
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});

const tooLate = () => new Failure('timeout', 'condition_not_met', 'The gesture did not end in time.');

/**
 * The points of a straight move, one for each frame of its duration; at least three, so that it is not taken for a
 * jump.
 */
async function* pointsOf({ from, to, duration_ms }: Glide, endsAt: number): AsyncGenerator<Point> {
  const begin = performance.now();
  for (let step = 1; ; step += 1) {
    await nextFrame();
    if (performance.now() > endsAt) throw tooLate();
    const part = Math.min((performance.now() - begin) / duration_ms, step < 3 ? step / 3 : 1);
    yield between(from, to, part);
    if (part === 1) return;
  }
}

/** Whether a scroller can scroll further in that direction. A finger cannot scroll `overflow: hidden`. */
function canMove(node: Element, dx: number, dy: number): boolean {
  const isRoot = node === document.scrollingElement;
  const { overflowX, overflowY } = getComputedStyle(node);
  const lets = (overflow: string) => (isRoot ? overflow !== 'hidden' : ['auto', 'scroll'].includes(overflow));
  const hasRoom = (delta: number, at: number, most: number) =>
    delta > 0 ? at < most - 1 : delta < 0 && at > 0;
  return (
    (lets(overflowY) && hasRoom(dy, node.scrollTop, node.scrollHeight - node.clientHeight)) ||
    (lets(overflowX) && hasRoom(dx, node.scrollLeft, node.scrollWidth - node.clientWidth))
  );
}

/** What a finger in the middle of the viewport would scroll: many apps scroll a part of a page that does not scroll itself. */
function underFinger(dx: number, dy: number): Element | undefined {
  const middle = elementUnder({ x: Math.floor(innerWidth / 2), y: Math.floor(innerHeight / 2) });
  return [...composedAncestors(middle)].find((node) => canMove(node, dx, dy));
}

/**
 * Scrolls an element to the middle or, by a distance, the nearest ancestor that can scroll in that direction. Without an element, the page,
 * or else what is in its middle.
 */
export async function scroll(
  { delta_x = 0, delta_y = 0, target }: { delta_x?: number; delta_y?: number; target?: Target },
  endsAt: number,
) {
  const page = document.scrollingElement;
  if (target === undefined) {
    if (!page) throw new Failure('page', 'scroll_failed', 'There is nothing to scroll.');
    const scroller = canMove(page, delta_x, delta_y) ? page : (underFinger(delta_x, delta_y) ?? page);
    scroller.scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
    return { matches: 1 };
  }
  const { element, matches } = await ready(target, { visible: true }, endsAt);
  if (delta_x === 0 && delta_y === 0) bringIntoView(element, { block: 'center' });
  else {
    showIfHidden(element);
    const scroller = [...composedAncestors(element)].find((node) => canMove(node, delta_x, delta_y));
    scroller?.scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
  }
  return { matches };
}

/** Performs an HTML drag and drop with one `DataTransfer`. Returns whether there was something to drag. */
export async function drag(glide: Glide, endsAt: number): Promise<{ readonly isCarried: boolean }> {
  const source = draggableAround(elementUnder(glide.from));
  if (!source) return { isCarried: false };
  if (begins(source, glide)) await carry(source, glide, endsAt);
  return { isCarried: true };
}

const draggableAround = (element: Element): HTMLElement | null => {
  const node = composedClosest(element, '[draggable="true"], a[href], img');
  return node instanceof HTMLElement && node.draggable ? node : null;
};

let transfer = new DataTransfer();

const send = (type: string, target: Element, { x, y }: Point): boolean =>
  target.dispatchEvent(
    new DragEvent(type, {
      bubbles: true,
      cancelable: !['dragleave', 'dragend'].includes(type),
      composed: true,
      dataTransfer: transfer,
      clientX: x,
      clientY: y,
      screenX: x,
      screenY: y,
    }),
  );

/** Whether the page did not prevent `dragstart`. */
function begins(source: HTMLElement, { from }: Glide): boolean {
  transfer = new DataTransfer();
  if (source instanceof HTMLAnchorElement) transfer.setData('text/uri-list', source.href);
  return send('dragstart', source, from);
}

/** Sends the events from `drag` to `dragend` as in HTML: `drop` only if the last `dragover` was prevented. */
async function carry(source: HTMLElement, glide: Glide, endsAt: number): Promise<void> {
  let over: Element | null = null;
  let isWelcome = false;
  for await (const point of pointsOf(glide, endsAt)) {
    send('drag', source, point);
    const now = elementUnder(point);
    if (now !== over) {
      send('dragenter', now, point);
      if (over) send('dragleave', over, point);
      over = now;
    }
    isWelcome = !send('dragover', now, point);
  }
  if (over) send(isWelcome ? 'drop' : 'dragleave', over, glide.to);
  send('dragend', source, glide.to);
}
