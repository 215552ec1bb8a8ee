/** Fields into which a secret was typed. */
const kept = new WeakSet<Element>();

/** Editable elements among them: their text is part of the document, and so of the text of their ancestors. */
const editors = new Set<WeakRef<Element>>();

export function keepSecret(field: Element): void {
  kept.add(field);
  if (!('value' in field)) editors.add(new WeakRef(field));
}

/** Text of an element without any secret that was typed into it, a descendant or an ancestor. */
export function withoutSecrets(element: Element, text: string): string {
  let told = text;
  for (const editor of keptEditors()) {
    if (editor.contains(element)) return '';
    if (!element.contains(editor)) continue;
    const shown = editor instanceof HTMLElement ? editor.innerText.trim() : '';
    for (const secret of [shown, editor.textContent.trim()])
      if (secret !== '') told = told.replaceAll(secret, '');
  }
  return told;
}

export const isWithinSecret = (element: Element): boolean =>
  keptEditors().some((editor) => editor.contains(element));

export function keptEditors(): Element[] {
  return [...editors].flatMap((reference) => {
    const editor = reference.deref();
    if (editor === undefined) editors.delete(reference);
    return editor ?? [];
  });
}

/** Source of a document in which secret fields have neither value nor content. */
export function sourceOf(root: Element): string {
  const secrets = [...secretsIn(root), ...keptEditors().filter((editor) => root.contains(editor))];
  if (secrets.length === 0) return root.outerHTML;
  const copy = inertDocument().importNode(root, true);
  empty(secrets, allIn(root), allIn(copy));
  return copy.outerHTML;
}

/**
 * The elements below `scope` that a selector matches as if no secret field had a `value` attribute. Frameworks copy
 * typed text there, so a selector could test guesses of its first letters. The selector is evaluated on a copy, in
 * which no element has the focus or is hovered.
 *
 * @throws SyntaxError if the selector is invalid
 */
export function allMatching(scope: ParentNode, selector: string): Element[] {
  const root = scope.getRootNode();
  const mayAskForValues = /value|\\/i.test(selector);
  if (!mayAskForValues || !(root instanceof Document || root instanceof ShadowRoot))
    return [...scope.querySelectorAll(selector)];
  const secrets = secretsIn(root);
  if (secrets.length === 0) return [...scope.querySelectorAll(selector)];
  const inert = inertDocument();
  const copy = root instanceof Document ? inert : inert.createDocumentFragment();
  copy.replaceChildren();
  const children = [...root.childNodes].filter((child) => child instanceof Element);
  copy.append(...children.map((child) => inert.importNode(child, true)));
  const [originals, copies] = [allIn(root), allIn(copy)];
  empty(secrets, originals, copies);
  const asked = scope instanceof Element ? copies[originals.indexOf(scope)] : copy;
  return [...(asked?.querySelectorAll(selector) ?? [])].flatMap(
    (match) => originals[copies.indexOf(match)] ?? [],
  );
}

const secretsIn = (root: ParentNode): Element[] =>
  [...root.querySelectorAll('input[value], textarea')].filter(isSecret);

/** A document without a window: it loads nothing, and scripts of the page cannot observe it. */
const inertDocument = (): Document => document.implementation.createHTMLDocument();

const allIn = (root: ParentNode): Element[] => [...root.querySelectorAll('*')];

/** Removes value and content from the copies of some elements. Copies have the same paths as their originals. */
function empty(
  elements: readonly Element[],
  originals: readonly Element[],
  copies: readonly Element[],
): void {
  for (const element of elements) {
    const copy = copies[originals.indexOf(element)];
    copy?.removeAttribute('value');
    copy?.replaceChildren();
  }
}

/** Content of a field; empty if it is secret. */
export function valueOf(field: Element): string | undefined {
  if (!('value' in field) || typeof field.value !== 'string') return undefined;
  return isSecret(field) ? '' : field.value;
}

const secretUses = /^(current-password|new-password|one-time-code|cc-.+)$/;

/** Whether a field holds a secret: a password, code or card number, by its type, `autocomplete` or style. */
export function isSecret(field: Element): boolean {
  if (kept.has(field)) return true;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  if (field.type === 'password') return true;
  const uses = (field.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
  if (uses.some((use) => secretUses.test(use))) return true;
  const masked = getComputedStyle(field).getPropertyValue('-webkit-text-security');
  return masked !== '' && masked !== 'none';
}
