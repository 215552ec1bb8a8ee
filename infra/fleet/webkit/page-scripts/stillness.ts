import { composedAncestors } from './dom.ts';

/** Milliseconds without a change after which nothing in a document counts as moving. */
const restMs = 100;
let changedAt = 0;

const note = (): void => {
  changedAt = performance.now();
};

const observer = new MutationObserver(note);

/**
 * Tracks whatever may move an element: changes of the tree and its attributes, scrolling and loading. Called again
 * after `document.open`, which removes all listeners.
 */
export function followChanges(): void {
  note();
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const type of ['scroll', 'load', 'resize', 'toggle'])
    addEventListener(type, note, { capture: true, passive: true });
}

/**
 * Whether an element has been still for more than two frames, without waiting for them. False if unknown: in shadow
 * trees, whose changes and animations are not tracked, and in their slots.
 */
export const hasRested = (element: Element): boolean =>
  performance.now() - changedAt > restMs &&
  isOfDocument(element) &&
  document.getAnimations().every(({ playState }) => playState !== 'running');

/** Whether a change since then may have affected this element. True if unknown, as in shadow trees. */
export const hasChangedSince = (time: number, element: Element): boolean =>
  changedAt >= time || !isOfDocument(element);

const isOfDocument = (element: Element): boolean =>
  [...composedAncestors(element)].every((node) => node.getRootNode() === document);
