import { isFrame } from './dom.ts';
import { Failure } from './failure.ts';

/** What was last observed: by its ref the element or, of one that lies deeper, the frame of this document that it lies in. */
const refs = new Map<string, Element>();
let last = 0;

/** Forgets what was observed before. Numbers go on where they ended, so that no ref ever names another element of the page. */
export function beginRefs(after: number): void {
  refs.clear();
  last = Math.max(last, after);
}

export function refOf(element: Element): string {
  const ref = `e${(last += 1)}`;
  refs.set(ref, element);
  return ref;
}

/** Takes the refs of a frame as its own, and goes on with numbers behind them. */
export function adoptRefs(frame: Element, given: readonly string[], lastGiven: number): void {
  for (const ref of given) refs.set(ref, frame);
  last = Math.max(last, lastGiven);
}

export const lastRef = (): number => last;

/** The ref that an element was observed by. */
export const knownAs = (element: Element): string | undefined =>
  [...refs].find(([, observed]) => observed === element)?.[0];

/** The element of a ref; none when it has left the document since. */
export function byRef(ref: string): Element[] {
  const element = observedAs(ref);
  return element.isConnected ? [element] : [];
}

/** The frame that the element of a ref lies in; undefined where it is of this document. */
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
