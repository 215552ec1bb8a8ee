import { accepts, aim, coverAt, ready, showIfHidden } from './aim.ts';
import { becomes, findCheckable } from './boxes.ts';
import { elementAt, nameOf } from './dom.ts';
import { until } from './deadline.ts';
import { boxOutOf, frameAlong, frameReplaced, outOf, type FrameStep } from './frames.ts';
import { refusal } from './failure.ts';
import {
  boxOf,
  bringIntoView,
  isClippedAt,
  isWhollyInView,
  middleInView,
  type Box,
  type Point,
} from './geometry.ts';
import { arm, disarm } from './guard.ts';
import { followReplacement } from './replacement.ts';
import { hasChangedSince } from './stillness.ts';
import { findAll, hold, type Target } from './targets.ts';

/** Runs an operation in a frame and returns its result; undefined if the frame was replaced meanwhile. */
export type AskFrame = (frame: HTMLIFrameElement, operation: string, input: object) => Promise<unknown>;

export interface AimInput {
  readonly frame?: readonly FrameStep[];
  readonly target: Target;
}
export interface Aimed {
  readonly point: Point;
  readonly matches: number;
}

/** Aims at the element and arms this document, and those around it, against a click that hits anything else. */
export async function aimAt({ frame = [], target }: AimInput, endsAt: number, ask: AskFrame): Promise<Aimed> {
  if (await frameAlong(frame, endsAt)) return aimThrough({ frame, target }, endsAt, ask);
  const { element, point, matches, found } = await aim(target, endsAt);
  const replacements = followReplacement(element, target, found);
  const aimedAt = performance.now();
  arm({
    point,
    accepts: (hit) => [element, ...replacements()].some((each) => accepts(each, hit)),
    isMeant: () => {
      if (!hasChangedSince(aimedAt, element)) return true;
      const named = findAll(target);
      return [element, ...replacements()].some((each) => named.includes(each));
    },
    box: () => {
      const present = element.isConnected ? element : replacements()[0];
      return present && boxOf(present);
    },
    isWithinFrame: false,
  });
  return { point, matches };
}

async function aimThrough(
  { frame: steps = [], target }: AimInput,
  endsAt: number,
  ask: AskFrame,
): Promise<Aimed> {
  return until<Aimed>(endsAt, async () => {
    const inner = await frameAlong(steps, endsAt);
    if (!inner) throw frameReplaced({ acts: false });
    const { frame, left } = inner;
    const aimed = (await ask(frame, 'aim', { frame: left, target })) as Aimed | undefined;
    if (!aimed) return { category: 'element_not_found', reason: 'The frame was replaced.' };
    const point = rounded(outOf(frame, aimed.point));
    if (!isInView(frame, point)) {
      showIfHidden(frame);
      const { x, y } = outOf(frame, aimed.point);
      if (y < 0 || y >= innerHeight) scrollBy({ top: y - innerHeight / 2, behavior: 'instant' });
      if (x < 0 || x >= innerWidth) scrollBy({ left: x - innerWidth / 2, behavior: 'instant' });
      return { category: 'condition_not_met', reason: 'The element is outside of the viewport.' };
    }
    const hit = elementAt(point.x, point.y);
    if (hit !== frame)
      return {
        category: 'condition_not_met',
        reason: `The frame of the element is covered by ${nameOf(hit ?? document.documentElement)}.`,
      };
    // A touch that hits this document instead of the frame has missed.
    arm({
      point,
      accepts: () => false,
      isMeant: () => true,
      box: () => (frame.isConnected ? boxOf(frame) : undefined),
      isWithinFrame: true,
    });
    return { value: { point, matches: aimed.matches } };
  });
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.floor(x), y: Math.floor(y) });

const isInView = (frame: HTMLIFrameElement, point: Point): boolean =>
  point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight && !isClippedAt(frame, point);

export interface VerdictInput {
  readonly frame?: readonly FrameStep[];
  readonly expectsClick: boolean;
}

/** Whether the click hit the target; null if a document has been replaced since, possibly by the click. */
export async function verdict(
  { frame = [], expectsClick }: VerdictInput,
  endsAt: number,
  ask: AskFrame,
): Promise<{ readonly arrived: boolean } | null> {
  const own = await disarm(expectsClick);
  if (own === null || own.arrived || own.hitBy !== undefined) return own;
  // A missing frame has been closed by the press.
  const inner = await frameAlong(frame, 0).catch(() => null);
  if (!inner) return inner === null ? null : own;
  return (await ask(inner.frame, 'verdict', { frame: inner.left, expectsClick })) as {
    arrived: boolean;
  } | null;
}

export interface BoxInput extends AimInput {
  /** Whether a finger must hit the element in its middle. */
  readonly uncovered?: boolean;
  /** Whether it must be in view without scrolling. */
  readonly stays?: boolean;
}
interface Shown {
  readonly box: Box;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scroll: Point;
}

/** Box of an element, scrolled into view, once it is visible and still. */
export async function box(
  { frame = [], target, ...needs }: BoxInput,
  endsAt: number,
  ask: AskFrame,
): Promise<Shown> {
  const viewport = { width: innerWidth, height: innerHeight };
  const shown = (found: Box): Shown => ({ box: found, viewport, scroll: { x: scrollX, y: scrollY } });
  const inner = await frameAlong(frame, endsAt);
  if (inner) {
    if (!needs.stays) showIfHidden(inner.frame);
    const reply = (await ask(inner.frame, 'box', { frame: inner.left, target, ...needs })) as
      | Shown
      | undefined;
    if (!reply) throw frameReplaced({ acts: false });
    return shown(boxOutOf(inner.frame, reply.box));
  }
  return until<Shown>(endsAt, async () => {
    const { element } = await ready(target, { visible: true, stable: true }, endsAt);
    if (!needs.stays && !isWhollyInView(element))
      bringIntoView(element, { block: 'nearest', inline: 'nearest' });
    const middle = needs.uncovered ? middleInView(element) : undefined;
    const cover = middle && coverAt(element, middle);
    return cover ?? { value: shown(boxOf(element)) };
  });
}

/** Middle of an element, scrolled into view, once it is visible and still. */
export async function place(
  input: BoxInput,
  endsAt: number,
  ask: AskFrame,
): Promise<{ readonly point: Point }> {
  const { box: found, viewport } = await box(input, endsAt, ask);
  const point = { x: Math.floor(found.x + found.width / 2), y: Math.floor(found.y + found.height / 2) };
  const isInView = point.x >= 0 && point.y >= 0 && point.x < viewport.width && point.y < viewport.height;
  if (input.stays && !isInView) throw refusal('The viewport does not show both elements at the same time.');
  return { point };
}

/** State of a check box, and where to tap to change it. */
export async function checkable({ checked, target }: { checked: boolean; target: Target }, endsAt: number) {
  const found = await findCheckable(target, checked, endsAt);
  const replacements = followReplacement(found.box);
  checkedBox = () => (found.box.isConnected ? found.box : replacements()[0]);
  return { isSo: found.checked === checked, matches: found.matches, surface: hold(found.surface) };
}
let checkedBox: () => Element | undefined = () => undefined;

export async function checkedNow({ checked }: { readonly checked: boolean }, endsAt: number) {
  return { isSo: await becomes(checkedBox, checked, endsAt) };
}
