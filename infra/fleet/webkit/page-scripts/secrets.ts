/** Fields into which something was typed that nobody is to be told. */
const kept = new WeakSet<Element>();

export const keepSecret = (field: Element): void => void kept.add(field);

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
