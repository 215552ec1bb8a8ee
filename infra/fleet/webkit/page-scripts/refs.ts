import { isFrame } from './dom.ts';
import { Failure } from './failure.ts';

/** The last observation: for each ref its element or, for a deeper one, the frame of this document that contains it. */
const refs = new Map<string, Element>();
/** The ref of each element that was observed, with its role and name at that time. */
let known = new WeakMap<Element, { readonly ref: string; readonly as: string }>();
/** The last number that each frame's answers have reported. */
const heardOf = new WeakMap<Element, number>();
let last = 0;

/**
 * Starts an observation. An element keeps its ref while its role and name stay the same. Numbers are never reused, so a
 * ref never names another element of the page. `heard`: the last number of this document that its parent document
 * knows. If an answer to the parent was lost, the parent may have used later numbers itself, so this document forgets
 * its refs.
 */
export function beginRefs(after: number, heard: number): void {
  refs.clear();
  if (heard !== last) known = new WeakMap();
  last = Math.max(last, after);
}

/** `as`: role and name. A redrawn list may show something else in the same element. */
export function refOf(element: Element, as: string): string {
  const before = known.get(element);
  const ref = before?.as === as ? before.ref : `e${(last += 1)}`;
  known.set(element, { ref, as });
  refs.set(ref, element);
  return ref;
}

export const lastHeardOf = (frame: Element): number => heardOf.get(frame) ?? 0;

/** Adopts the refs of a frame, and continues with later numbers. */
export function adoptRefs(frame: Element, given: readonly string[], lastGiven: number): void {
  for (const ref of given) refs.set(ref, frame);
  heardOf.set(frame, lastGiven);
  last = Math.max(last, lastGiven);
}

export const lastRef = (): number => last;

/** The ref of an observed element. */
export const knownAs = (element: Element): string | undefined =>
  [...refs].find(([, observed]) => observed === element)?.[0];

/** The element of a ref; none if it has left the document. */
export function byRef(ref: string): Element[] {
  const element = observedAs(ref);
  return element.isConnected ? [element] : [];
}

/** The frame that contains the element of a ref; undefined if it is in this document. */
export function frameOfRef(ref: string): HTMLIFrameElement | undefined {
  const element = observedAs(ref);
  return isFrame(element) ? element : undefined;
}

function observedAs(ref: string): Element {
  const element = refs.get(ref);
  if (element === undefined) throw refGone(ref);
  return element;
}

export const refGone = (ref: string): Failure =>
  new Failure(
    'page',
    'element_not_found',
    `There is no element ${ref} any more: the page has changed. Observe it again.`,
  );
