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
  const fields = [...root.querySelectorAll('input[value], textarea')].filter(isSecret);
  const secrets = [...fields, ...keptEditors().filter((editor) => root.contains(editor))];
  if (secrets.length === 0) return root.outerHTML;
  // In a document without a window nothing is loaded, and no script of the page learns of it.
  const copy = document.implementation.createHTMLDocument().importNode(root, true);
  const [all, copies] = [root, copy].map((each) => [...each.querySelectorAll('*')]) as [Element[], Element[]];
  for (const secret of secrets) {
    const twin = copies[all.indexOf(secret)];
    twin?.removeAttribute('value');
    twin?.replaceChildren();
  }
  return copy.outerHTML;
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
