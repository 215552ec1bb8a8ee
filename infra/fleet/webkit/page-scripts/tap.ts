import { accepts, aim, ready, replacements, showIfHidden } from './aim.ts';
import { becomes, findCheckable } from './fields.ts';
import { elementAt, nameOf } from './dom.ts';
import { until } from './deadline.ts';
import { boxOutOf, frameAlong, frameReplaced, outOf, type FrameStep } from './frames.ts';
import { boxOf, isClippedAt, type Box, type Point } from './geometry.ts';
import { arm, disarm } from './guard.ts';
import { hold, type Target } from './targets.ts';

/** Has a frame run an operation of ours and gives what it came to; undefined when the frame was replaced meanwhile. */
export type AskFrame = (frame: HTMLIFrameElement, operation: string, input: object) => Promise<unknown>;

export interface AimInput {
  readonly frame?: readonly FrameStep[];
  readonly target: Target;
}
export interface Aimed {
  readonly point: Point;
  readonly matches: number;
}

/** Aims at the element and arms this document, and those around it, against a click that meets anything else. */
export async function aimAt({ frame = [], target }: AimInput, endsAt: number, ask: AskFrame): Promise<Aimed> {
  if (await frameAlong(frame, endsAt)) return aimThrough({ frame, target }, endsAt, ask);
  const found = await aim(target, endsAt);
  const { element } = found;
  const isReplaced = replacements(target);
  arm({
    accepts: (hit) => accepts(element, hit),
    isThere: () => element.isConnected || isReplaced(),
  });
  return { point: found.point, matches: found.matches };
}

async function aimThrough(
  { frame: steps = [], target }: AimInput,
  endsAt: number,
  ask: AskFrame,
): Promise<Aimed> {
  return until<Aimed>(endsAt, async () => {
    const inner = await frameAlong(steps, endsAt);
    if (!inner) throw frameReplaced();
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
    // What lands in this document instead of in the frame has missed.
    arm({ accepts: () => false, isThere: () => true });
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

/** Whether the click met the element aimed at; null where a document has been replaced since, which a click may have done. */
export async function verdict(
  { frame = [], expectsClick }: VerdictInput,
  endsAt: number,
  ask: AskFrame,
): Promise<{ readonly arrived: boolean } | null> {
  const own = disarm(expectsClick);
  if (own === null || own.hitBy !== undefined) return own;
  const inner = await frameAlong(frame, endsAt).catch(() => null);
  if (!inner) return inner === null ? null : own;
  return (await ask(inner.frame, 'verdict', { frame: inner.left, expectsClick })) as {
    arrived: boolean;
  } | null;
}

/** The box of an element, scrolled into view, once it is visible and still. */
export async function box(
  { frame = [], target }: AimInput,
  endsAt: number,
  ask: AskFrame,
): Promise<{
  readonly box: Box;
  readonly viewport: { width: number; height: number };
  readonly scroll: Point;
}> {
  const viewport = { width: innerWidth, height: innerHeight };
  const inner = await frameAlong(frame, endsAt);
  if (inner) {
    showIfHidden(inner.frame);
    const reply = (await ask(inner.frame, 'box', { frame: inner.left, target })) as { box: Box } | undefined;
    if (!reply) throw frameReplaced();
    return { box: boxOutOf(inner.frame, reply.box), viewport, scroll: { x: scrollX, y: scrollY } };
  }
  const { element } = await ready(target, { visible: true, stable: true }, endsAt);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  return { box: boxOf(element), viewport, scroll: { x: scrollX, y: scrollY } };
}

/** The middle of an element, scrolled into view, once it is visible and still; whatever lies upon it. */
export async function place(
  input: AimInput,
  endsAt: number,
  ask: AskFrame,
): Promise<{ readonly point: Point }> {
  const { box: found } = await box(input, endsAt, ask);
  return { point: { x: Math.floor(found.x + found.width / 2), y: Math.floor(found.y + found.height / 2) } };
}

/** The state of a check box, and where to tap it so that it changes. */
export async function checkable({ checked, target }: { checked: boolean; target: Target }, endsAt: number) {
  const found = await findCheckable(target, checked, endsAt);
  checkedBox = found.box;
  return { isSo: found.checked === checked, matches: found.matches, surface: hold(found.surface) };
}
let checkedBox: Element | undefined;

export async function checkedNow({ checked }: { readonly checked: boolean }, endsAt: number) {
  return { isSo: checkedBox !== undefined && (await becomes(checkedBox, checked, endsAt)) };
}
