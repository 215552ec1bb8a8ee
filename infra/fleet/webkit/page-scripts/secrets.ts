/** Fields into which something was typed that nobody is to be told. */
const kept = new WeakSet<Element>();

/** Those of them that have what was typed in the document itself, where everything around them has it too. */
const editors = new Set<WeakRef<Element>>();

export function keepSecret(field: Element): void {
  kept.add(field);
  if (!('value' in field)) editors.add(new WeakRef(field));
}

/** Text of an element as it may be told: without what was typed somewhere in it, or around it, that nobody is to be told. */
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

function keptEditors(): Element[] {
  return [...editors].flatMap((reference) => {
    const editor = reference.deref();
    if (editor === undefined) editors.delete(reference);
    return editor ?? [];
  });
}

/** The source of a document as it may be told: secret fields have neither value nor content in it. */
export function sourceOf(root: Element): string {
  const secrets = [...secretsIn(root), ...keptEditors().filter((editor) => root.contains(editor))];
  if (secrets.length === 0) return root.outerHTML;
  const copy = inertDocument().importNode(root, true);
  empty(secrets, allIn(root), allIn(copy));
  return copy.outerHTML;
}

/**
 * The elements below `scope` that a selector matches, as if no secret field had a `value` attribute: frameworks copy there what is
 * typed, and each guess of its first letters would be confirmed. In the copy that then is asked nothing has the focus or is hovered.
 *
 * @throws SyntaxError where the selector is none
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
  copy.append(...[...root.children].map((child) => inert.importNode(child, true)));
  const [originals, copies] = [allIn(root), allIn(copy)];
  empty(secrets, originals, copies);
  const asked = scope instanceof Element ? copies[originals.indexOf(scope)] : copy;
  return [...(asked?.querySelectorAll(selector) ?? [])].flatMap(
    (match) => originals[copies.indexOf(match)] ?? [],
  );
}

const secretsIn = (root: ParentNode): Element[] =>
  [...root.querySelectorAll('input[value], textarea')].filter(isSecret);

/** One without a window: nothing in it is loaded, and no script of the page learns of it. */
const inertDocument = (): Document => document.implementation.createHTMLDocument();

const allIn = (root: ParentNode): Element[] => [...root.querySelectorAll('*')];

/** Takes value and content from the copies of some elements. Copies have the places of their originals. */
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

/** The elements of this document, and of open shadow trees, that hold something that nobody is to be told. */
export function filledSecrets(root: ParentNode = document): Element[] {
  const fields = [...root.querySelectorAll('input, textarea')].filter(
    (field) => isSecret(field) && 'value' in field && field.value !== '',
  );
  const editors = root === document ? keptEditors().filter((editor) => editor.isConnected) : [];
  const shadows = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [...fields, ...editors, ...shadows.flatMap((shadow) => filledSecrets(shadow))];
}

/** What a field holds, as it may be told: nothing where it is secret. */
export function valueOf(field: Element): string | undefined {
  if (!('value' in field) || typeof field.value !== 'string') return undefined;
  return isSecret(field) ? '' : field.value;
}

const secretUses = /^(current-password|new-password|one-time-code|cc-.+)$/;

/** Whether what a field holds is for the page alone: passwords, codes and cards, by type, purpose or looks. */
export function isSecret(field: Element): boolean {
  if (kept.has(field)) return true;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  if (field.type === 'password') return true;
  const uses = (field.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
  if (uses.some((use) => secretUses.test(use))) return true;
  const masked = getComputedStyle(field).getPropertyValue('-webkit-text-security');
  return masked !== '' && masked !== 'none';
}
