import { drawNow } from './draw-now.ts';
import { nameOf, nextFrame, pause } from './dom.ts';
import { sameBox, type Box, type Point } from './geometry.ts';

/** The events of a press, in the order in which WebKit sends them. */
const types = [
  ...['touchstart', 'touchmove', 'touchend', 'touchcancel'],
  ...['mouseover', 'mousemove', 'mousedown', 'mouseup', 'mouseout', 'click', 'dblclick'],
];

/** What a press is aimed at. */
export interface Aim {
  readonly point: Point;
  /** Whether what a finger meets is the element, or one that the page has put in its place. */
  readonly accepts: (hit: Element) => boolean;
  /** Whether the target still names the element, whatever the page has done since. */
  readonly isMeant: () => boolean;
  /** Where the element is, or the one in its place; undefined when both are gone. */
  readonly box: () => Box | undefined;
  /** Whether the element is in a frame of this document, which sees the touches then. */
  readonly isWithinFrame: boolean;
}

interface Press extends Aim {
  /** Those that met the element. They say in the end whether the page prevented what follows from them. */
  readonly touches: Event[];
  /** Where the element was when it was aimed at, or at `mousedown`. */
  begunAt: Box | undefined;
  isHovered: boolean;
  isClicked: boolean;
  /** Whether the last of its events has come. */
  isOver: boolean;
  /** Whether it has been said what came of it. */
  isJudged: boolean;
  /** `covered`: the touch has opened something in front of the element, and a phone clicks nothing then. */
  outcome: 'waiting' | 'arrived' | 'covered' | 'missed';
  missed: { readonly type: string; readonly hitBy: string } | undefined;
}

let armed: Press | undefined;

/**
 * From now on a press may only meet an element that is accepted. One that meets another is taken out of the page's sight with
 * all that follows, so that what misses does nothing.
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
 * What came of the press; null where this document was not armed, which is so when a tap has replaced it. A press whose touch
 * removed the element has arrived, though nothing was left to be clicked. What comes of it later still, on a machine that is
 * busy, is judged as before, and kept from the page where it is said now that the press has not arrived.
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

/** Looks that are taken at the page for the mouse events of a tap, and milliseconds between two. A busy page takes its time. */
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

/** Whether the touch removed the element for good. Some pages draw it anew a frame later. */
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

/** The press that an event is judged by. One that was judged ends with the next touch. */
function pressOf(event: Event): Press | undefined {
  if (armed?.isJudged && event.type === 'touchstart') armed = undefined;
  return armed?.isJudged && isOfKey(event) ? undefined : armed;
}

/** A click that a key or a label makes has no place of its own. */
const isOfKey = ({ type, detail }: Event & { readonly detail?: number }): boolean =>
  type === 'click' && detail === 0;

/** Before its own touch, only where a frame is gone does anything of a press come to the document around it. */
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

/** The first mouse event shows what the touch has made of the page. What a later one meets may be there for a moment only. */
function hover(press: Press, hit: Element, event: Event): void {
  if (press.outcome !== 'arrived' || press.isHovered || !isAt(press.point, event)) return;
  press.isHovered = true;
  if (press.accepts(hit)) return;
  if (isInPlace(press)) press.outcome = 'covered';
  else miss(press, hit, event);
}

/** Whether it is of this press: WebKit also sends mouse events of where the last one was. */
const isAt = ({ x, y }: Point, event: Event): boolean =>
  event instanceof MouseEvent && Math.abs(event.clientX - x) < 2 && Math.abs(event.clientY - y) < 2;

/** By the type of event: what it says of the press. */
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
  // An element that `mousedown` has moved away gets no click, and what is around both places must not get it either.
  mouseup: (press, hit, event) => {
    if (press.isClicked && !press.accepts(hit) && press.box() && !isInPlace(press)) miss(press, hit, event);
  },
  // One that follows another comes of a label, and is its control's.
  click: (press, hit, event) => {
    if (press.isClicked || press.outcome === 'covered') return;
    if (!press.accepts(hit)) return miss(press, hit, event);
    press.outcome = 'arrived';
    press.isClicked = true;
  },
};

/** Before any listener of the page. Called again whenever it is armed, because `document.open` removes all listeners. */
export function listen(): void {
  for (const type of types) addEventListener(type, check, { capture: true, passive: false });
}

let watched: KeyboardEvent | 'none yet' | undefined;

/** Follows the next key, which is pressed with others for a shortcut: as on the device it writes nothing. */
export function watchKey(): void {
  watched = 'none yet';
  addEventListener('keydown', watch, { capture: true });
  addEventListener('keypress', swallow, { capture: true });
}

/** Whether the page prevented what the key does. */
export function keySeen(): { readonly prevented: boolean } {
  const prevented = watched instanceof KeyboardEvent && watched.defaultPrevented;
  watched = undefined;
  return { prevented };
}

const modifiers = ['Meta', 'Super', 'OS', 'Alt', 'Shift', 'Control'];

function watch(event: KeyboardEvent): void {
  if (watched === 'none yet' && event.isTrusted && !modifiers.includes(event.key)) watched = event;
}

function swallow(event: Event): void {
  if (!watched || !event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}
