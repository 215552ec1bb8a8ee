import { withoutSecrets } from './secrets.ts';
import { isElementVisible } from 'ivya/utils';

/** Parent in the flattened tree: a slotted element is in its slot, the root of a shadow tree in its host. */
export function composedParent(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** The element and its ancestors, from the inside out. */
export function* composedAncestors(element: Element): Generator<Element> {
  for (let node: Element | null = element; node; node = composedParent(node)) yield node;
}

/** The nearest ancestor or self that matches, across shadow roots. */
export function composedClosest(element: Element, selector: string): Element | null {
  for (const node of composedAncestors(element)) if (node.matches(selector)) return node;
  return null;
}

/** All open shadow trees below a root, at any depth. */
export function shadowRootsIn(root: ParentNode): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  for (const element of root.querySelectorAll('*')) {
    const tree = element.shadowRoot;
    if (tree) found.push(tree, ...shadowRootsIn(tree));
  }
  return found;
}

/** The deepest element at a point of the viewport, across open shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  let root: Document | ShadowRoot = document;
  let found: Element | null = null;
  for (;;) {
    const inner: Element | null = root.elementFromPoint(x, y);
    if (!inner || inner === found || inner.getRootNode() !== root) return found;
    found = inner;
    if (!inner.shadowRoot) return found;
    root = inner.shadowRoot;
  }
}

/** The focused element, across open shadow roots. */
export function activeElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

export const isFrame = (element: Element): element is HTMLIFrameElement =>
  element instanceof HTMLIFrameElement || element.localName === 'frame';

export const isVisible = (element: Element): boolean => isElementVisible(element);

/** White space as displayed: runs are one space, no-break spaces are spaces, and zero-width characters are dropped. */
export const asShown = (text: string): string =>
  text
    .replace(/[\u200b\u00ad\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Displayed text of an element, without secrets. */
export const textOf = (element: Element): string =>
  withoutSecrets(element, element instanceof HTMLElement ? element.innerText : element.textContent).trim();

const most = 40;
/** A short name of an element for error messages: `button#save.primary`, `div.modal[role=dialog]`. */
export function nameOf(element: Element): string {
  const id = element.getAttribute('id')?.slice(0, most);
  const classes = [...element.classList].slice(0, 2).map((name) => `.${name.slice(0, most)}`);
  const role = element.getAttribute('role');
  return `${element.localName}${id ? `#${id}` : ''}${classes.join('')}${role ? `[role=${role.slice(0, most)}]` : ''}`;
}

/** Resolves at the next frame. A hidden document has no frames, so there is a time limit. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
