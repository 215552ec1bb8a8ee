import { asShown } from './dom.ts';
import { findAll, type Target } from './targets.ts';

/** Identifying properties of an element, without its state, which a touch may change. */
const looksOf = (element: Element): string =>
  [
    element.localName,
    element.getAttribute('id'),
    element.getAttribute('name'),
    element.getAttribute('role'),
    asShown(element.textContent),
  ].join('\n');

/**
 * Finds the elements that the page has put in the place of a removed one: new ones that look the same, if there are at
 * least as many as before. With fewer, an item was removed from a list, and its neighbour must not be taken for it.
 * Counts those that match the target or, for a ref or without a target, those of the same tag.
 */
export function followReplacement(
  element: Element,
  target?: Target,
  found: readonly Element[] = [],
): () => readonly Element[] {
  const looks = looksOf(element);
  const describes = target && target.ref === undefined && target.handle === undefined;
  const counted = describes ? target : { selector: CSS.escape(element.localName) };
  const before = new Set(describes ? found : findAll(counted));
  return () => {
    if (element.isConnected) return [];
    const now = findAll(counted);
    return now.length < before.size
      ? []
      : now.filter((other) => !before.has(other) && looksOf(other) === looks);
  };
}
