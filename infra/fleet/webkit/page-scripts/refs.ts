import { isFrame } from './dom.ts';
import { Failure } from './failure.ts';

/** The last observation: for each ref its element or, for a deeper one, the frame of this document that contains it. */
const refs = new Map<string, Element>();
let last = 0;

/** Forgets the last observation. Numbers continue, so that a ref never names another element. */
export function beginRefs(after: number): void {
  refs.clear();
  last = Math.max(last, after);
}

export function refOf(element: Element): string {
  const ref = `e${(last += 1)}`;
  refs.set(ref, element);
  return ref;
}

/** Takes over the refs of a frame, and continues with the numbers after them. */
export function adoptRefs(frame: Element, given: readonly string[], lastGiven: number): void {
  for (const ref of given) refs.set(ref, frame);
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
