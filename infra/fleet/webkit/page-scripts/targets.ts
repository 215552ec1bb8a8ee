import { Ivya } from 'ivya';
import { getElementAccessibleName } from 'ivya/utils';
import { asShown, composedClosest, isVisible, shadowRootsIn } from './dom.ts';
import { refusal } from './failure.ts';
import { byRef } from './refs.ts';
import { allMatching, isWithinSecret } from './secrets.ts';

/** An element as a person would name it: exactly one of these fields, `name` only beside `role`. */
export interface Target {
  readonly selector?: string;
  readonly text?: string;
  readonly label?: string;
  readonly role?: string;
  readonly name?: string;
  readonly placeholder?: string;
  readonly test_id?: string;
  readonly ref?: string;
  /** An element that an earlier operation has found. */
  readonly handle?: number;
  /** Whether it must be the only best match. */
  readonly strict?: boolean;
}

const engine = Ivya.create({ browser: 'webkit' });

/** Every element that a target matches, in document order; for text only the best matches: exact before partial. */
export function findAll(target: Target): Element[] {
  const { selector, text, label, role, placeholder, test_id } = target;
  if (selector !== undefined) return allBySelector(selector);
  if (text !== undefined) return best(engine.queryAllByText(text).filter(isTold), text, shownTexts);
  if (label !== undefined) return exactFirst((exact) => engine.queryAllByLabelText(label, { exact }));
  if (role !== undefined) return byRole(role, target.name);
  if (placeholder !== undefined) return byPlaceholder(placeholder);
  if (test_id !== undefined) return allBySelector(`[data-testid="${CSS.escape(test_id)}"]`);
  if (target.ref !== undefined) return byRef(target.ref);
  if (target.handle !== undefined) return heldBy(target.handle);
  throw refusal('The request names no element.');
}

/** A secret cannot be used to find an element. */
const isTold = (element: Element): boolean => !isWithinSecret(element);

const held = new Map<number, Element>();
let lastHandle = 0;

/** Gives an element a number by which later operations in this document can name it. */
export function hold(element: Element): number {
  held.set((lastHandle += 1), element);
  return lastHandle;
}
export const releaseAll = (): void => held.clear();

function heldBy(handle: number): Element[] {
  const element = held.get(handle);
  return element?.isConnected ? [element] : [];
}

/** The element to use among several: the first visible one, preferably one that is not inert. */
export const firstVisible = (elements: readonly Element[]): Element | undefined =>
  elements.find((element) => isVisible(element) && !isInert(element)) ??
  elements.find(isVisible) ??
  elements[0];

/** Whether the element is in an `inert` part, or behind a modal dialog. */
const isInert = (element: Element): boolean =>
  composedClosest(element, '[inert]') !== null ||
  (document.querySelector(':modal') !== null && composedClosest(element, ':modal') === null);

function byRole(role: string, name: string | undefined): Element[] {
  if (!/^[a-z]+$/i.test(role)) throw refusal('This is not the name of a role.');
  if (name === undefined) return engine.queryAllByRole(role);
  const nameOf = (element: Element) => [getElementAccessibleName(element, false)];
  return best(engine.queryAllByRole(role, { name }), name, nameOf);
}

function byPlaceholder(wanted: string): Element[] {
  const textsOf = (element: Element) => [element.getAttribute('placeholder') ?? ''];
  const shown = asShown(wanted).toLowerCase();
  const says = (text: string) => asShown(text).toLowerCase().includes(shown);
  return best(
    allBySelector('[placeholder]').filter((element) => textsOf(element).some(says)),
    wanted,
    textsOf,
  );
}

const exactFirst = (query: (exact: boolean) => Element[]): Element[] => {
  const exact = query(true);
  return exact.length > 0 ? exact : query(false);
};

/** Degrees of a text's match, best first. */
const fits: readonly ((text: string, wanted: string) => boolean)[] = [
  (text, wanted) => text === wanted,
  (text, wanted) => text.toLowerCase() === wanted.toLowerCase(),
  (text, wanted) => text.includes(wanted),
  () => true,
];

function best(elements: Element[], wanted: string, textsOf: (element: Element) => string[]): Element[] {
  if (elements.length < 2) return elements;
  const shown = asShown(wanted);
  const ranked = elements.map((element) => {
    const texts = textsOf(element).map(asShown);
    return { element, rank: fits.findIndex((fit) => texts.some((text) => fit(text, shown))) };
  });
  const first = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === first).map(({ element }) => element);
}

/** Text of an element in its source and, if CSS changes its case, as displayed. */
function shownTexts(element: Element): string[] {
  if (element instanceof HTMLInputElement) return [element.value];
  const source = element.textContent;
  const changed = getComputedStyle(element).textTransform !== 'none' && element instanceof HTMLElement;
  return changed ? [source, element.innerText] : [source];
}

/**
 * CSS across open shadow roots. `a >>> b` is a `b` anywhere below an `a`. A plain selector is evaluated in every tree,
 * and across their borders only if that finds nothing.
 */
export function allBySelector(selector: string, scope: ParentNode = document): Element[] {
  const steps = selector.split('>>>').map((step) => step.trim());
  if (steps.length > 1) {
    return steps.reduce<Element[]>(
      (roots, step, index) =>
        index === 0
          ? inEveryTree(step, scope)
          : unique(roots.flatMap((root) => inEveryTree(step, root, true))),
      [],
    );
  }
  const found = inEveryTree(selector, scope);
  return found.length > 0 ? found : acrossTrees(selector, scope);
}

const unique = (elements: Element[]): Element[] => [...new Set(elements)];

function inEveryTree(selector: string, scope: ParentNode, own = false): Element[] {
  try {
    const found = allMatching(scope, selector);
    const around = own && scope instanceof Element && scope.shadowRoot ? [scope.shadowRoot] : [];
    const trees = [...around, ...around.flatMap(shadowRootsIn), ...shadowRootsIn(scope)];
    if (trees.length === 0) return found;
    const below = trees.flatMap((tree) => allMatching(tree, selector));
    return inOrder([...found, ...below]);
  } catch {
    throw refusal('The selector is not a valid CSS selector.');
  }
}

/**
 * A selector whose compound parts match in different trees. Selectors that the parser does not support have no such
 * matches.
 */
function acrossTrees(selector: string, scope: ParentNode): Element[] {
  if (shadowRootsIn(scope).length === 0 || selector.includes('>>')) return [];
  try {
    const root = scope instanceof Node ? scope : document;
    return engine.queryLocatorSelectorAll(`css=${selector}`, root);
  } catch {
    return [];
  }
}

/** Document order, with each shadow tree at its host. */
function inOrder(elements: Element[]): Element[] {
  const path = (element: Element): Element[] => {
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? [...path(root.host), element] : [element];
  };
  const withPaths = elements.map((element) => ({ element, path: path(element) }));
  return withPaths.sort((a, b) => comparePaths(a.path, b.path)).map(({ element }) => element);
}

function comparePaths(a: readonly Element[], b: readonly Element[]): number {
  for (let depth = 0; ; depth += 1) {
    const [first, second] = [a[depth], b[depth]];
    if (!first || !second) return a.length - b.length;
    if (first === second) continue;
    return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
}
