import { beginAriaCaches, endAriaCaches } from 'ivya/utils';
import { actedOn, ready } from './aim.ts';
import { cut, nameFor, roleOf } from './observed.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

const longest = { selector: 2000, text: 300, role: 50 } as const;

/** Selector, text and role by which the target's element can be found on another visit; null if no way is reliable. */
export async function meet({ target }: { readonly target: Target }, endsAt: number) {
  // The path of frames to a ref's element is unknown.
  if (target.ref !== undefined && window !== top) return null;
  const { element } = await ready(target, { visible: false }, endsAt);
  const surface = actedOn(element);
  const control = controlOf(surface);
  const selector = selectorOf(control);
  if (selector.length > longest.selector) return null;
  beginAriaCaches();
  try {
    const role = roleOf(control);
    return {
      selector,
      text: cut(nameFor(control, surface, role), longest.text),
      role: cut(role, longest.role),
    };
  } finally {
    endAriaCaches();
  }
}

/** A CSS selector that matches only this element, across its shadow trees. */
function selectorOf(element: Element): string {
  const root = element.getRootNode();
  const own = within(element, root instanceof ShadowRoot ? root : document);
  return root instanceof ShadowRoot ? `${selectorOf(root.host)} >>> ${own}` : own;
}

/** Attributes that name an element's purpose; pages rarely change them. */
const naming = ['data-testid', 'name', 'aria-label'] as const;

function within(element: Element, root: Document | ShadowRoot): string {
  const steps: string[] = [];
  for (let node: Element | null = element; node; node = node.parentElement) {
    const named = namedBy(node, root);
    if (named !== undefined) return [named, ...steps].join(' > ');
    steps.unshift(stepOf(node));
  }
  return steps.join(' > ');
}

function namedBy(element: Element, root: Document | ShadowRoot): string | undefined {
  const isAlone = (selector: string) => root.querySelectorAll(selector).length === 1;
  const id = element.getAttribute('id') ?? '';
  const byId = id === '' ? undefined : `#${CSS.escape(id)}`;
  const byAttribute = naming.flatMap((attribute) => {
    const value = element.getAttribute(attribute);
    return value ? [`${element.localName}[${attribute}="${CSS.escape(value)}"]`] : [];
  });
  return [...(byId ? [byId] : []), ...byAttribute].find(isAlone);
}

/** The part of a selector that distinguishes an element from its siblings. */
function stepOf(element: Element): string {
  const name = CSS.escape(element.localName);
  const siblings = element.parentElement?.querySelectorAll(':scope > *') ?? [];
  const alike = [...siblings].filter((sibling) => sibling.localName === element.localName);
  return alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(element) + 1})` : name;
}
