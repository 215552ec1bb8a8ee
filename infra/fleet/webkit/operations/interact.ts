import { Type, closed } from '../../../../contracts/schema.ts';
import type { Action } from '../../../../contracts/resources/session.ts';
import { atMost, pageFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Page } from '../page.ts';
import type { FingerStep } from '../steps.ts';
import { chord, shortcutOf } from './keyboard.ts';
import {
  afterTap,
  down,
  move,
  pause,
  pointIn,
  press,
  pressElement,
  up,
  viewport,
  type Point,
} from './press.ts';
import { pressShortcut } from './shortcut.ts';
import { requireTarget, targetOf } from './target.ts';
import { enter, entered, typeInto } from './typing.ts';
import { chooseFiles, contentsOf } from './upload.ts';

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;
/** Runs one kind of action and returns a summary without content of the page or the input. */
type Performers = {
  readonly [K in Action['kind']]: (
    page: Page,
    action: ActionOf<K>,
    limits: OperationLimits,
  ) => Promise<string>;
};

const found = shape(closed({ matches: Type.Integer() }));
const selected = shape(closed({ matches: Type.Integer(), selected: Type.Integer() }));
const checkable = shape(closed({ isSo: Type.Boolean(), matches: Type.Integer(), surface: Type.Integer() }));
const checkedNow = shape(closed({ isSo: Type.Boolean() }));
const placed = shape(closed({ point: closed({ x: Type.Number(), y: Type.Number() }) }));
const dragged = shape(closed({ isCarried: Type.Boolean() }));

/** The summary. If the target matched several elements, it says so. */
const said = (done: string, matches: number): string =>
  matches > 1 ? `${done} It was the first of ${matches} that match.` : done;

const performers: Performers = {
  tap: async (page, action, limits) => said('Tapped.', await press(page, action, limits)),
  double_tap: async (page, action, limits) => said('Tapped twice.', await press(page, action, limits)),
  long_press: async (page, action, limits) => said('Pressed and held.', await press(page, action, limits)),
  type: async (page, { text, clear = false, delay_ms = 0, sensitive = false, ...named }, limits) => {
    const matches = await typeInto(page, requireTarget(named), { text, clear, sensitive, delay_ms }, limits);
    return said(`Typed ${Array.from(text).length} characters.`, matches);
  },
  press: async (page, { key, modifiers = [], ...named }, limits) => {
    const located = targetOf(named);
    const step = chord(key, modifiers);
    const { matches } = located ? await enter(page, 'focus', located, entered, limits) : { matches: 1 };
    const command = shortcutOf(key, modifiers);
    if (command === undefined) await page.keys([step], limits);
    else if (!(await pressShortcut(page, step, limits))) await page.edit(command, limits);
    return said('Pressed the key.', matches);
  },
  clear: async (page, action, limits) => {
    const { matches } = await enter(page, 'clear', requireTarget(action), entered, limits);
    return said('Cleared the field.', matches);
  },
  focus: async (page, action, limits) => {
    const { matches } = await enter(page, 'focus', requireTarget(action), entered, limits);
    return said('Focused the element.', matches);
  },
  select: async (page, { values = [], indexes = [], ...named }, limits) => {
    const { frame, target } = requireTarget(named);
    if (values.length + indexes.length === 0)
      throw pageFailure('invalid_request', 'Name options by values or by indexes.');
    const input = { frame, target, values, indexes };
    const reply = await page.run('select', input, selected, limits);
    return said(`Selected ${reply.selected} of the list.`, reply.matches);
  },
  check: async (page, { checked, ...named }, limits) => {
    const { frame, target } = requireTarget(named);
    const { isSo, matches, surface } = await page.run(
      'checkable',
      { frame, target, checked },
      checkable,
      limits,
    );
    if (isSo) return said('It already had this state.', matches);
    await pressElement(page, 'tap', { frame, target: { handle: surface } }, limits);
    const reacting = atMost(limits, reactMs);
    const after = await afterTap(page.run('checkedNow', { frame, checked }, checkedNow, reacting));
    if (!after.isSo) throw pageFailure('condition_not_met', 'The box did not change when tapped.');
    return said(checked ? 'Checked the box.' : 'Unchecked the box.', matches);
  },
  scroll: async (page, { delta_x, delta_y, ...named }, limits) => {
    const located = targetOf(named);
    const input = { ...located, delta_x, delta_y };
    const { matches } = await page.run('scroll', input, found, limits);
    return said('Scrolled.', matches);
  },
  swipe: async (page, { x1, y1, x2, y2, duration_ms = 300 }, limits) => {
    const from = await pointIn(page, { x: x1, y: y1 }, limits);
    await page.finger(glide(from, { x: x2, y: y2 }, duration_ms), limits);
    return 'Swiped.';
  },
  pinch: async (page, { scale, duration_ms = 300, ...place }, limits) => {
    const middle = await placeOf(page, place, limits);
    const { width } = await page.run('viewport', null, viewport, limits);
    await page.finger(pinch(middle, width, scale, duration_ms), limits);
    return 'Pinched.';
  },
  drag: async (page, action, limits) => {
    await placeOf(page, action.from, limits);
    const to = await placeOf(page, action.to, limits);
    // Scrolling to one may have moved the other.
    const from = await placeOf(page, action.from, limits, { stays: true, uncovered: true });
    const { isCarried } = await page.run('drag', { from, to, duration_ms: dragMs }, dragged, limits);
    if (!isCarried) await page.finger(glide(from, to, dragMs), limits);
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
  upload: async (page, { handle, files, ...named }, limits) => {
    const located = requireTarget(named);
    const contents = contentsOf(page.uploads, { handle, files });
    const matches = await chooseFiles(page, located, contents, limits);
    return said(`Chose ${contents.length} files.`, matches);
  },
};

/** Milliseconds for a box to change, and for its frame to be found if the tap has not closed it. */
const reactMs = 1_500;

/** Duration of a drag in milliseconds. */
const dragMs = 300;

export const perform = <K extends Action['kind']>(
  page: Page,
  action: ActionOf<K> & { kind: K },
  limits: OperationLimits,
): Promise<string> => performers[action.kind](page, action, limits);

/** The middle of an element, or the given point. `stays`: without scrolling the page. */
async function placeOf(
  page: Page,
  place: ActionOf<'drag'>['from'],
  limits: OperationLimits,
  needs: { readonly stays?: boolean; readonly uncovered?: boolean } = {},
): Promise<Point> {
  const located = targetOf(place);
  if (!located) return pointIn(page, place, limits);
  return (await page.run('place', { ...located, ...needs }, placed, limits)).point;
}

/** Two fingers beside a point, as far apart at the wider end as the viewport allows. */
function pinch(middle: Point, width: number, scale: number, duration: number): FingerStep[] {
  const widest = Math.max(1, Math.min(middle.x, width - 1 - middle.x) - 1);
  const [from, to] = scale >= 1 ? [widest / scale, widest] : [widest, widest * scale];
  const count = Math.max(4, Math.round(duration / stepMs));
  const at = (finger: number, step: number) => {
    const away = from + ((to - from) * step) / count;
    return { x: middle.x + (finger === 0 ? -away : away), y: middle.y, finger };
  };
  const both = (type: 'down' | 'move', step: number): FingerStep[] =>
    [0, 1].map((finger) => ({ type, ...at(finger, step) }));
  const moves = Array.from({ length: count }, (_, step) => [pause(stepMs), ...both('move', step + 1)]);
  return [...both('down', 0), ...moves.flat(), { type: 'up', finger: 0 }, { type: 'up', finger: 1 }];
}

/** Milliseconds between two points of a moving finger. */
const stepMs = 16;
/**
 * Milliseconds of rest before a finger is lifted, so that it does not fling: GTK measures its speed over the last 150.
 */
const restMs = 170;

/** A straight move that rests before it ends, so that the scrolled content stops there. */
function glide(from: Point, to: Point, duration: number): FingerStep[] {
  const count = Math.max(1, Math.round(duration / stepMs));
  const at = (step: number): Point => ({
    x: from.x + ((to.x - from.x) * step) / count,
    y: from.y + ((to.y - from.y) * step) / count,
  });
  const moves = Array.from({ length: count }, (_, step) => [pause(stepMs), move(at(step + 1))]);
  return [down(from), ...moves.flat(), pause(restMs), move(to), up];
}
