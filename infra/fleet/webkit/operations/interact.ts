import { Type, closed } from '../../../../contracts/schema.ts';
import type { Action } from '../../../../contracts/resources/session.ts';
import { pageFailure, unsupportedFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import { nothing, type Page } from '../page.ts';
import type { FingerStep } from '../steps.ts';
import { chord, strokes } from './keyboard.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;
/** Does one kind of action and says what was done, with nothing of the page or the input in it. */
type Performers = {
  readonly [K in Action['kind']]: (
    page: Page,
    action: ActionOf<K>,
    limits: OperationLimits,
  ) => Promise<string>;
};

const point = shape(closed({ x: Type.Number(), y: Type.Number() }));
type Point = { readonly x: number; readonly y: number };
const down = ({ x, y }: Point): FingerStep => ({ type: 'down', x, y });
const move = ({ x, y }: Point): FingerStep => ({ type: 'move', x, y });
const up: FingerStep = { type: 'up' };
const pause = (ms: number): FingerStep => ({ type: 'pause', ms });

const tapAt = (point: Point): FingerStep[] => [down(point), up];

/** Milliseconds between two places of a finger that moves. */
const stepMs = 16;

/** A straight move, at rest before it ends: what scrolls under the finger stops where it is. */
function glide(from: Point, to: Point, duration: number): FingerStep[] {
  const count = Math.max(1, Math.round(duration / stepMs));
  const at = (step: number): Point => ({
    x: from.x + ((to.x - from.x) * step) / count,
    y: from.y + ((to.y - from.y) * step) / count,
  });
  const moves = Array.from({ length: count }, (_, step) => [pause(stepMs), move(at(step + 1))]);
  return [down(from), ...moves.flat(), pause(120), move(to), up];
}

const performers: Performers = {
  tap: async (page, action, limits) => {
    await page.finger(tapAt(await target(page, action, limits)), limits);
    return 'Tapped.';
  },
  double_tap: async (page, action, limits) => {
    const point = await target(page, action, limits);
    await page.finger([...tapAt(point), pause(40), ...tapAt(point)], limits, { multiple: true });
    return 'Tapped twice.';
  },
  long_press: async (page, action, limits) => {
    const point = await target(page, action, limits);
    await page.finger([down(point), pause(action.duration_ms ?? 600), up], limits);
    return 'Pressed and held.';
  },
  type: async (page, { selector, text, clear = false, delay_ms = 0 }, limits) => {
    const { editable } = await page.run('focus', { selector, clear, caret: 'end' }, focused, limits);
    if (!editable) throw pageFailure('invalid_request', 'The element takes no text.');
    await page.keys(strokes(text, delay_ms), limits);
    return `Typed ${Array.from(text).length} characters.`;
  },
  press: async (page, { key, modifiers = [] }, limits) => {
    await page.keys([chord(key, modifiers)], limits);
    return 'Pressed the key.';
  },
  clear: async (page, { selector }, limits) => {
    await page.run('clear', { selector }, nothing, limits);
    return 'Cleared the field.';
  },
  focus: async (page, { selector }, limits) => {
    await page.run('focus', { selector }, focused, limits);
    return 'Focused the element.';
  },
  select: async (page, { selector, values }, limits) => {
    await page.run('select', { selector, values }, nothing, limits);
    return `Selected ${values.length} of the list.`;
  },
  check: async (page, { selector, checked }, limits) => {
    const before = await page.run('checked', { selector }, checkedState, limits);
    if (before.checked === checked) return 'It was so already.';
    await page.finger(tapAt(await locate(page, selector, limits)), limits);
    const after = await page.run('checked', { selector }, checkedState, limits);
    if (after.checked !== checked)
      throw pageFailure('condition_not_met', 'The box did not change when tapped.');
    return checked ? 'Checked the box.' : 'Unchecked the box.';
  },
  scroll: async (page, { selector, delta_x, delta_y }, limits) => {
    await page.run('scroll', { selector, delta_x, delta_y }, nothing, limits);
    return 'Scrolled.';
  },
  swipe: async (page, { x1, y1, x2, y2, duration_ms = 300 }, limits) => {
    const [from, to] = [
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ];
    await page.finger(glide(from, to, duration_ms), limits);
    return 'Swiped.';
  },
  drag: async (page, { from, to }, limits) => {
    await page.finger(glide(from, to, 300), limits);
    return 'Dragged.';
  },
  activate_tab: async (page, { tab_id }, limits) => {
    await page.activate(tab_id, limits);
    return 'Brought the tab to the front.';
  },
  close_tab: async (page, { tab_id }, limits) => {
    await page.closeTab(tab_id, limits);
    return 'Closed the tab.';
  },
  upload: () =>
    Promise.reject(unsupportedFailure('Uploads need a file handle, which this runtime does not have yet.')),
};

const focused = shape(closed({ editable: Type.Boolean() }));
const checkedState = shape(closed({ checked: Type.Boolean() }));

export const perform = <K extends Action['kind']>(
  page: Page,
  action: ActionOf<K> & { kind: K },
  limits: OperationLimits,
): Promise<string> => performers[action.kind](page, action, limits);

export const locate = (page: Page, selector: string, limits: OperationLimits): Promise<Point> =>
  page.run('locate', { selector }, point, limits);

async function target(
  page: Page,
  { selector, x, y }: ActionOf<'tap' | 'double_tap' | 'long_press'>,
  limits: OperationLimits,
): Promise<Point> {
  if (selector !== undefined) return locate(page, selector, limits);
  if (x === undefined || y === undefined) {
    throw pageFailure('invalid_request', 'Name a selector, or both x and y.');
  }
  const { width, height } = await page.run('viewport', null, viewport, limits);
  if (x < 0 || y < 0 || x >= width || y >= height) {
    throw pageFailure('invalid_request', `The point lies outside the viewport of ${width} by ${height}.`);
  }
  return { x, y };
}
const viewport = shape(closed({ width: Type.Number(), height: Type.Number() }));
