import { Type, closed } from '../../../../contracts/schema.ts';
import type { Action } from '../../../../contracts/resources/session.ts';
import { OperationFailed, pageFailure, timeoutFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import { PageReplaced } from '../page-failures.ts';
import type { Page } from '../page.ts';
import type { FingerStep } from '../steps.ts';
import { targetOf, type Located } from './target.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
export type PressKind = 'tap' | 'double_tap' | 'long_press';
type Press = Extract<Action, { kind: PressKind }>;

export const viewport = shape(closed({ width: Type.Number(), height: Type.Number() }));

export const down = ({ x, y }: Point): FingerStep => ({ type: 'down', x, y });
export const move = ({ x, y }: Point): FingerStep => ({ type: 'move', x, y });
export const up: FingerStep = { type: 'up' };
export const pause = (ms: number): FingerStep => ({ type: 'pause', ms });

/** Steps of a finger at a point for each kind of press. `ms` is the duration of a long one. */
const steps: Readonly<Record<PressKind, (point: Point, ms: number) => FingerStep[]>> = {
  tap: (point) => [down(point), up],
  double_tap: (point) => [down(point), up, pause(40), down(point), up],
  long_press: (point, ms) => [down(point), pause(ms), up],
};

/** Presses an element or a point once. Returns the number of elements that the target matches. */
export async function press(page: Page, action: Press, limits: OperationLimits): Promise<number> {
  const ms = action.kind === 'long_press' ? (action.duration_ms ?? 600) : 0;
  const located = targetOf(action);
  if (located) return pressElement(page, action.kind, located, limits, ms);
  const point = await pointIn(page, action, limits);
  await page.finger(steps[action.kind](point, ms), limits, { multiple: action.kind === 'double_tap' });
  return 1;
}

/** Presses at the given point. */
export async function pointIn(page: Page, { x, y }: Partial<Point>, limits: OperationLimits): Promise<Point> {
  if (x === undefined || y === undefined)
    throw pageFailure('invalid_request', 'Name an element, or both x and y.');
  const { width, height } = await page.run('viewport', null, viewport, limits);
  if (x < 0 || y < 0 || x >= width || y >= height)
    throw pageFailure('invalid_request', `The point lies outside the viewport of ${width} by ${height}.`);
  return { x, y };
}

/** Moves steps to the point of the aim. */
const there: Point = { x: 0, y: 0 };

/** Aims and presses. If the finger would hit something else, nothing happens and it retries. */
export async function pressElement(
  page: Page,
  kind: PressKind,
  located: Located,
  limits: OperationLimits,
  ms = 0,
): Promise<number> {
  const how = {
    steps: steps[kind](there, ms),
    multiple: kind === 'double_tap',
    expectsClick: kind !== 'long_press',
  };
  for (let missed = false; ;) {
    try {
      const { arrived, matches } = await page.press(located, how, limits);
      if (arrived) return matches;
      missed = true;
    } catch (error) {
      // The page was replaced by the next one.
      if (error instanceof PageReplaced) continue;
      if (!missed) throw error;
      throw isOutOfTime(error) ? alwaysMissed() : onceTouched(error);
    }
  }
}

/** The result of what follows a tap. */
export const afterTap = <T>(following: Promise<T>): Promise<T> =>
  following.catch((error: unknown) => {
    throw onceTouched(error);
  });

/** The failure after a touch: an element that is missing by then does not prove that nothing happened. */
const onceTouched = (error: unknown): unknown =>
  error instanceof OperationFailed && error.failure.category === 'element_not_found'
    ? pageFailure('condition_not_met', `After the touch: ${error.failure.reason}`)
    : error;

/** Ran out of time in a step that has no own reason. */
const isOutOfTime = (error: unknown): boolean =>
  error instanceof OperationFailed &&
  error.failure.kind === 'timeout' &&
  error.failure.category === 'unknown';

const alwaysMissed = () =>
  timeoutFailure('condition_not_met', 'The element was moved, covered or replaced whenever it was touched.');
