import { asShown } from './dom.ts';
import { findAll, type Target } from './targets.ts';

/** What tells an element from others of its kind; not its state, which a touch may change. */
const looksOf = (element: Element): string =>
  [
    element.localName,
    element.id,
    element.getAttribute('name'),
    element.getAttribute('role'),
    asShown(element.textContent),
  ].join('\n');

/**
 * Gives the elements that the page has put in the place of one that is gone: new ones that look the same, where there are as many
 * as before. Fewer are what is left of a list, of which the next element must not be taken for the one that is gone. Counted are
 * those that the target names or, where it knows the element itself or there is none, those of its kind.
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
