import { until } from './deadline.ts';
import { isFrame, nameOf } from './dom.ts';
import { Failure, refusal } from './failure.ts';
import { answers } from './frame-channel.ts';
import { rectOf, type Box, type Point } from './geometry.ts';
import { frameOfRef } from './refs.ts';
import { allBySelector, firstVisible } from './targets.ts';

/** A step into a frame: its selector, or the ref of an observed element, which may be in a frame at any depth or in none. */
export type FrameStep = string | { readonly ref: string };

/** The frame of this document that the steps lead into, and the remaining steps; undefined if they lead into none. */
export async function frameAlong(
  steps: readonly FrameStep[],
  endsAt: number,
): Promise<{ readonly frame: HTMLIFrameElement; readonly left: readonly FrameStep[] } | undefined> {
  const [first, ...left] = steps;
  if (first === undefined) return undefined;
  if (typeof first === 'string') return { frame: await frameBy(first, endsAt), left };
  const frame = frameOfRef(first.ref);
  return frame && { frame, left: steps };
}

/** The frame that a selector matches, once it has a document that answers. */
const frameBy = (selector: string, endsAt: number): Promise<HTMLIFrameElement> =>
  until(endsAt, async () => {
    const frame = firstVisible(allBySelector(selector));
    if (!frame) return { category: 'element_not_found', reason: 'No frame matches the selector.' };
    if (!isFrame(frame)) throw refusal(`The selector of the frame matches ${nameOf(frame)}, which is none.`);
    return (await answers(frame))
      ? { value: frame }
      : { category: 'element_not_found', reason: 'The frame has not loaded.' };
  });

/** Converts a point of the frame's viewport to this document's. */
export function outOf(frame: HTMLIFrameElement, { x, y }: Point): Point {
  const { left, top, scale } = contentOf(frame);
  return { x: left + x * scale.x, y: top + y * scale.y };
}

export function into(frame: HTMLIFrameElement, { x, y }: Point): Point {
  const { left, top, scale } = contentOf(frame);
  return { x: (x - left) / scale.x, y: (y - top) / scale.y };
}

export function boxOutOf(frame: HTMLIFrameElement, box: Box): Box {
  const { scale } = contentOf(frame);
  return { ...outOf(frame, box), width: box.width * scale.x, height: box.height * scale.y };
}

/** Offset of the frame's viewport in this one, and its scale by transforms. */
function contentOf(frame: HTMLIFrameElement) {
  const outer = rectOf(frame);
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const scale = {
    x: frame.offsetWidth > 0 ? outer.width / frame.offsetWidth : 1,
    y: frame.offsetHeight > 0 ? outer.height / frame.offsetHeight : 1,
  };
  return {
    left: outer.left + (frame.clientLeft + parseFloat(paddingLeft)) * scale.x,
    top: outer.top + (frame.clientTop + parseFloat(paddingTop)) * scale.y,
    scale,
  };
}

/**
 * The frame's document was replaced or removed during an operation. An operation that acts may have taken effect, and
 * may itself be the cause: a list can close its own frame when an option is selected.
 */
export const frameReplaced = ({ acts }: { readonly acts: boolean }): Failure =>
  new Failure(
    'page',
    acts ? 'condition_not_met' : 'element_not_found',
    'The frame was replaced while it was being used.',
  );
