import { drawNow } from './draw-now.ts';
import { nameOf, nextFrame, pause } from './dom.ts';
import { sameBox, type Box, type Point } from './geometry.ts';

/** The events of a press, in WebKit's order. */
const types = [
  ...['touchstart', 'touchmove', 'touchend', 'touchcancel'],
  ...['mouseover', 'mousemove', 'mousedown', 'mouseup', 'mouseout', 'click', 'dblclick'],
];

/** Target of a press. */
export interface Aim {
  readonly point: Point;
  /** Whether the hit element is the target, or one that the page has put in its place. */
  readonly accepts: (hit: Element) => boolean;
  /** Whether the target still selects the element, despite later changes by the page. */
  readonly isMeant: () => boolean;
  /** Box of the element, or of the one in its place; undefined when both are gone. */
  readonly box: () => Box | undefined;
  /** Whether the element is in a frame of this document. Then the frame gets the touches. */
  readonly isWithinFrame: boolean;
}

interface Press extends Aim {
  /** Touch events that hit the element. In the end they show whether the page prevented their default. */
  readonly touches: Event[];
  /** Box of the element when it was aimed at, or at `mousedown`. */
  begunAt: Box | undefined;
  isHovered: boolean;
  isClicked: boolean;
  /** Whether the last event of the press has arrived. */
  isOver: boolean;
  /** Whether its verdict has been returned. */
  isJudged: boolean;
  /** `covered`: the touch has put something in front of the element; a phone does not click then. */
  outcome: 'waiting' | 'arrived' | 'covered' | 'missed';
  missed: { readonly type: string; readonly hitBy: string } | undefined;
}

let armed: Press | undefined;

/**
 * From now on a press may only hit accepted elements. If it hits another, its events and all that follow are hidden
 * from the page, so that a missed press has no effect.
 */
export function arm(aim: Aim): void {
  armed = {
    ...aim,
    touches: [],
    begunAt: aim.box(),
    isHovered: false,
    isClicked: false,
    isOver: false,
    isJudged: false,
    outcome: 'waiting',
    missed: undefined,
  };
  listen();
}

export interface Verdict {
  readonly arrived: boolean;
  readonly hitBy: string | undefined;
}

/**
 * Verdict of the press; null if this document was not armed, as when a tap has replaced it. A press whose touch removed
 * the element has arrived, even without a click. Events that arrive after the verdict, on a busy machine, are judged in
 * the same way, and hidden if the verdict was that the press missed.
 */
export async function disarm(expectsClick: boolean): Promise<Verdict | null> {
  const press = armed;
  if (!press || press.isJudged) return null;
  if (expectsClick) await mouseOf(press);
  press.isJudged = true;
  const isDone = press.outcome === 'arrived' && (press.isClicked || isKept(press) || !expectsClick);
  const arrived = isDone || press.outcome === 'covered' || (await isGone(press));
  if (!arrived) press.outcome = 'missed';
  return { arrived, hitBy: press.missed?.hitBy };
}

const isKept = ({ touches }: Press): boolean => touches.some(({ defaultPrevented }) => defaultPrevented);

/** Number of checks for the mouse events of a tap, and milliseconds between two. A busy page takes a while. */
const looks = 30;
const lookMs = 10;

async function mouseOf(press: Press): Promise<void> {
  const isComing = () =>
    press.outcome === 'arrived' &&
    press.touches.at(-1)?.type === 'touchend' &&
    !press.isOver &&
    !isKept(press);
  for (let look = 0; look < looks && isComing(); look += 1) await pause(lookMs);
}

/** Whether the touch has permanently removed the element. Some pages redraw it a frame later. */
async function isGone(press: Press): Promise<boolean> {
  const isTouched = press.isWithinFrame ? press.missed?.type !== 'touchstart' : press.touches.length > 0;
  for (let frames = 0; frames < 2; frames += 1) {
    if (!isTouched || press.box() !== undefined) return false;
    await nextFrame();
  }
  return press.box() === undefined;
}

function check(event: Event): void {
  if (!event.isTrusted) return;
  const [first] = event.composedPath();
  if (event.type === 'mousemove') drawNow(first);
  const press = pressOf(event);
  if (!press || mayPass(press, first instanceof Element ? first : document.documentElement, event)) return;
  event.stopImmediatePropagation();
  if (event.cancelable) event.preventDefault();
}

/** The press that an event belongs to. One with a verdict ends with the next touch. */
function pressOf(event: Event): Press | undefined {
  if (armed?.isJudged && event.type === 'touchstart') armed = undefined;
  return armed?.isJudged && isOfKey(event) ? undefined : armed;
}

/** A click that a key or a label causes has no coordinates. */
const isOfKey = ({ type, detail }: Event & { readonly detail?: number }): boolean =>
  type === 'click' && detail === 0;

/**
 * Whether an event belongs to an earlier press: a mouse event before the first touch does. With a target in a frame it can also
 * belong to this press, because the document around a removed frame gets its events.
 */
const isOfEarlier = ({ outcome, isWithinFrame }: Press, event: Event): boolean =>
  outcome === 'waiting' && !isWithinFrame && event instanceof MouseEvent;

function mayPass(press: Press, hit: Element, event: Event): boolean {
  if (isOfEarlier(press, event)) return false;
  judge(press, hit, event);
  return press.outcome !== 'missed' && press.outcome !== 'covered';
}

function judge(press: Press, hit: Element, event: Event): void {
  if (press.outcome !== 'missed') judges[event.type]?.(press, hit, event);
  if (press.outcome === 'arrived' && event.type.startsWith('touch')) press.touches.push(event);
  if (['mouseup', 'click'].includes(event.type)) press.isOver = true;
}

function miss(press: Press, hit: Element, { type }: Event): void {
  press.outcome = 'missed';
  press.isClicked = false;
  press.missed = { type, hitBy: nameOf(hit) };
}

const isInPlace = ({ box, begunAt }: Press): boolean => {
  const now = box();
  return now !== undefined && begunAt !== undefined && sameBox(now, begunAt);
};

/** The first mouse event hits the page as the touch has left it. Later ones may hit temporary elements. */
function hover(press: Press, hit: Element, event: Event): void {
  if (press.outcome !== 'arrived' || press.isHovered || !isAt(press.point, event)) return;
  press.isHovered = true;
  if (press.accepts(hit)) return;
  if (isInPlace(press)) press.outcome = 'covered';
  else miss(press, hit, event);
}

/** Whether the event belongs to this press: WebKit also sends mouse events at the previous position. */
const isAt = ({ x, y }: Point, event: Event): boolean =>
  event instanceof MouseEvent && Math.abs(event.clientX - x) < 2 && Math.abs(event.clientY - y) < 2;

/** The effect of each type of event on the verdict. */
const judges: Readonly<Record<string, (press: Press, hit: Element, event: Event) => void>> = {
  touchstart: (press, hit, event) => {
    press.isHovered = press.isOver = false;
    if (press.accepts(hit) && press.isMeant()) press.outcome = 'arrived';
    else miss(press, hit, event);
  },
  mouseover: hover,
  mousemove: hover,
  mousedown: (press, hit, event) => {
    if (press.outcome === 'covered') return;
    if (!press.accepts(hit)) return miss(press, hit, event);
    press.outcome = 'arrived';
    press.isClicked = true;
    press.begunAt = press.box();
  },
  // An element that moved on `mousedown` gets no click, and neither must the common ancestor of both places.
  mouseup: (press, hit, event) => {
    if (press.isClicked && !press.accepts(hit) && press.box() && !isInPlace(press)) miss(press, hit, event);
  },
  // A second click comes from a label, and goes to its control.
  click: (press, hit, event) => {
    if (press.isClicked || press.outcome === 'covered') return;
    if (!press.accepts(hit)) return miss(press, hit, event);
    press.outcome = 'arrived';
    press.isClicked = true;
  },
};

/**
 * Listens before any listener of the page. Called again whenever a press is armed, because `document.open` removes all
 * listeners.
 */
export function listen(): void {
  for (const type of types) addEventListener(type, check, { capture: true, passive: false });
}

let watched: KeyboardEvent | 'none yet' | undefined;

/** Observes the next key, which is pressed as part of a shortcut: as on the device it enters no text. */
export function watchKey(): void {
  watched = 'none yet';
  addEventListener('keydown', watch, { capture: true });
  addEventListener('keypress', swallow, { capture: true });
}

/** Whether the page prevented the key's default. */
export function keySeen(): { readonly prevented: boolean } {
  const prevented = watched instanceof KeyboardEvent && watched.defaultPrevented;
  watched = undefined;
  return { prevented };
}

const modifiers = ['Meta', 'Super', 'OS', 'Alt', 'Shift', 'Control'];

function watch(event: KeyboardEvent): void {
  if (!event.isTrusted || modifiers.includes(event.key)) return;
  // A second key is not the shortcut's: `keySeen` went to another frame, to which the shortcut has moved the focus.
  watched = watched === 'none yet' ? event : undefined;
}

function swallow(event: Event): void {
  if (!watched || !event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}
