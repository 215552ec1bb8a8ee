import { drawNow } from './draw-now.ts';
import { nameOf } from './dom.ts';

/** The events of a press, in the order in which WebKit sends them. */
const types = [
  ...['touchstart', 'touchmove', 'touchend', 'touchcancel'],
  ...['mouseover', 'mousemove', 'mousedown', 'mouseup', 'mouseout', 'click', 'dblclick'],
];
/** Those by which a press may meet another element than the one aimed at. */
const decisive = ['touchstart', 'mousedown'];
/**
 * Of a press whose `mousedown` was not seen, the click decides too. One that follows another comes of a label, and is its
 * control's.
 */
const isDecisive = (press: Armed, type: string): boolean =>
  decisive.includes(type) || (type === 'click' && !press.isClicked);

interface Aim {
  readonly accepts: (hit: Element) => boolean;
  /** Whether there is still something to be met: the element, or one that has taken its place. */
  readonly isThere: () => boolean;
}
interface Armed extends Aim {
  /** The touches of the press, which say in the end whether the page prevented what follows from them. */
  readonly touches: Event[];
  isClicked: boolean;
  outcome: 'waiting' | 'arrived' | 'missed';
  hitBy: string | undefined;
}

let armed: Armed | undefined;

/**
 * From now on a press may only meet an element that is accepted. One that meets another is taken out of the page's sight with
 * all that follows, so that what misses does nothing.
 */
export function arm(aim: Aim): void {
  armed = { ...aim, touches: [], isClicked: false, outcome: 'waiting', hitBy: undefined };
  listen();
}

/**
 * What came of it; null where this document was not armed, which is so when a tap has replaced it. A press whose touch removed
 * the element has arrived, though nothing was left to be clicked.
 */
export function disarm(expectsClick: boolean): { readonly arrived: boolean; readonly hitBy?: string } | null {
  const last = armed;
  armed = undefined;
  if (!last) return null;
  const isKept = last.touches.some(({ defaultPrevented }) => defaultPrevented);
  const isDone = last.outcome === 'arrived' && (last.isClicked || isKept || !expectsClick);
  const arrived = isDone || (last.touches.length > 0 && !last.isThere());
  return { arrived, ...(last.hitBy !== undefined && { hitBy: last.hitBy }) };
}

function check(event: Event): void {
  if (!event.isTrusted) return;
  if (event.type === 'mousemove') drawNow(event.composedPath()[0]);
  if (!armed) return;
  if (armed.outcome !== 'missed' && isDecisive(armed, event.type)) decide(armed, event);
  if (armed.outcome === 'arrived') follow(armed, event);
  if (armed.outcome !== 'missed') return;
  event.stopImmediatePropagation();
  if (event.cancelable) event.preventDefault();
}

function decide(press: Armed, event: Event): void {
  const [hit] = event.composedPath();
  const met = hit instanceof Element ? hit : document.documentElement;
  press.outcome = press.accepts(met) ? 'arrived' : 'missed';
  if (press.outcome === 'missed') press.hitBy = nameOf(met);
}

function follow(press: Armed, event: Event): void {
  if (event.type.startsWith('touch')) press.touches.push(event);
  if (['mousedown', 'click'].includes(event.type)) press.isClicked = true;
}

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
