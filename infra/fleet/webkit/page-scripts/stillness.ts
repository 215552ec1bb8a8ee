import { composedAncestors } from './dom.ts';

/** Milliseconds without a change after which nothing in a document is taken to be on the move. */
const restMs = 100;
let changedAt = 0;

const note = (): void => {
  changedAt = performance.now();
};

const observer = new MutationObserver(note);

/**
 * Follows whatever may move an element: changes of the tree and its attributes, scrolling, and what is loaded. Called again after
 * `document.open`, which removes all listeners.
 */
export function followChanges(): void {
  note();
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const type of ['scroll', 'load', 'resize', 'toggle'])
    addEventListener(type, note, { capture: true, passive: true });
}

/**
 * Whether an element has stood still for more than two frames, without waiting for these. False where that is not known: in
 * shadow trees, whose changes and animations are not followed, and in their slots.
 */
export const hasRested = (element: Element): boolean =>
  performance.now() - changedAt > restMs &&
  isOfDocument(element) &&
  document.getAnimations().every(({ playState }) => playState !== 'running');

/** Whether anything has changed that may have made another element of this one; of shadow trees that is not known. */
export const hasChangedSince = (time: number, element: Element): boolean =>
  changedAt >= time || !isOfDocument(element);

const isOfDocument = (element: Element): boolean =>
  [...composedAncestors(element)].every((node) => node.getRootNode() === document);
