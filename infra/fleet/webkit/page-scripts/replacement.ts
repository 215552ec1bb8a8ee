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
 * Finds the elements with which the page has replaced a removed one: new ones that look the same, if there are at least as many as before.
 * If there are fewer, an item was removed from a list, and its neighbour is not a replacement. Counts the elements that match the target
 * or, for a ref or without a target, those of the same tag.
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
