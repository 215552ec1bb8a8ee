import { targetNames, type Target } from '../../../contracts/resources/target.ts';
import type { SimulatedElement } from './site.ts';

/** ARIA roles, by a test of the element. */
const roles: readonly (readonly [role: string, is: (element: SimulatedElement) => boolean])[] = [
  ['link', ({ href, submits }) => href !== undefined && !submits],
  ['button', ({ submits }) => submits === true],
  ['textbox', ({ field }) => field === 'text' || field === 'password'],
  ['checkbox', ({ field }) => field === 'checkbox'],
  ['combobox', ({ field }) => field === 'select'],
  ['heading', ({ selectors }) => selectors.includes('h1')],
];

export const roleOf = (element: SimulatedElement): string =>
  roles.find(([, is]) => is(element))?.[0] ?? 'generic';

/** The elements that a target matches. Texts, labels and names are an element's text: exact matches before partial ones. */
export function findAll(elements: readonly SimulatedElement[], target: Target): readonly SimulatedElement[] {
  const { selector, text, label, role, name, placeholder, test_id } = target;
  const bySelector = (wanted: string) => elements.filter(({ selectors }) => selectors.includes(wanted));
  if (selector !== undefined) return bySelector(selector);
  if (placeholder !== undefined) return bySelector(`[placeholder="${placeholder}"]`);
  if (test_id !== undefined) return bySelector(`[data-testid="${test_id}"]`);
  const [, isRole] = roles.find(([known]) => known === role) ?? [];
  const candidates = role === undefined ? elements : elements.filter((element) => isRole?.(element));
  const said = role === undefined ? (text ?? label) : name;
  return said === undefined ? (role === undefined ? [] : candidates) : byText(candidates, said);
}

function byText(elements: readonly SimulatedElement[], said: string): readonly SimulatedElement[] {
  const exact = elements.filter(({ text }) => text === said);
  return exact.length > 0
    ? exact
    : elements.filter(({ text }) => text?.toLowerCase().includes(said.toLowerCase()));
}

/** Whether a target names an element in any way. */
export const namesElement = (target: Target): boolean =>
  targetNames.some((name) => target[name] !== undefined);
