import { asShown, isVisible, shadowRootsIn, textOf } from './dom.ts';
import { until } from './deadline.ts';
import { refusal } from './failure.ts';
import { refGone } from './refs.ts';
import { valueOf } from './secrets.ts';
import { allBySelector, findAll, type Target } from './targets.ts';

export type Condition =
  | {
      readonly kind: 'selector';
      readonly target: Target;
      readonly state?: 'visible' | 'attached' | 'hidden' | 'detached';
    }
  | { readonly kind: 'text'; readonly text: string; readonly selector?: string }
  | { readonly kind: 'url'; readonly pattern: string };

/** Whether the condition is true now, for the document or for one of its elements. */
export function holds(condition: Condition): boolean {
  switch (condition.kind) {
    case 'selector': {
      const { state = 'visible', target } = condition;
      const found = findAll(target);
      // An observed element that was removed does not reappear.
      const isLost =
        found.length === 0 && target.ref !== undefined && ['visible', 'attached'].includes(state);
      if (isLost) throw refGone(target.ref);
      const visible = () => found.some(isVisible);
      if (state === 'attached' || state === 'detached') return found.length > 0 === (state === 'attached');
      return visible() === (state === 'visible');
    }
    case 'text':
      return showsText(condition.text, condition.selector);
    case 'url':
      return isAt(condition.pattern) && document.readyState !== 'loading';
  }
}

const isAt = (pattern: string): boolean => matcher(pattern).test(location.href);

export const wait = (condition: Condition, endsAt: number): Promise<true> =>
  until<true>(endsAt, () =>
    holds(condition)
      ? { value: true }
      : { category: 'condition_not_met', reason: 'The condition was not met in time.' },
  ).catch((error: unknown) => {
    // A page that never finishes loading still has its address.
    if (condition.kind === 'url' && isAt(condition.pattern)) return true;
    throw error;
  });

/** Displayed text, regardless of case and of the kind of white space; for fields, their value. */
function showsText(text: string, selector: string | undefined): boolean {
  const wanted = inOneCase(text);
  const scopes = selector === undefined ? [document.documentElement] : allBySelector(selector);
  return scopes.some((scope) => tests.some((test) => test(scope, wanted)));
}

/** Ignores case. Goes by way of upper case, in which some letters become several: ß becomes SS. */
const inOneCase = (text: string): string => asShown(text).toUpperCase().toLowerCase();
const includes = (text: string, wanted: string): boolean => inOneCase(text).includes(wanted);

const fields = 'input:not([type="password"], [type="hidden"]), textarea, select';

/** A wait checks many times, so cheap and likely matches come first. */
const tests: readonly ((scope: Element, wanted: string) => boolean)[] = [
  (scope, wanted) => includes(textOf(scope instanceof HTMLHtmlElement ? document.body : scope), wanted),
  (scope, wanted) =>
    treesOf(scope).some((tree) =>
      [...tree.children].some((child) => isVisible(child) && includes(textOf(child), wanted)),
    ),
  (scope, wanted) =>
    [...(scope.matches(fields) ? [scope] : []), ...allBySelector(fields, scope)].some(
      (field) => includes(shownIn(field), wanted) && isVisible(field),
    ),
];

const treesOf = (scope: Element): ShadowRoot[] => [
  ...(scope.shadowRoot ? [scope.shadowRoot] : []),
  ...shadowRootsIn(scope),
];

const shownIn = (field: Element): string =>
  (field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text : valueOf(field)) ?? '';

/**
 * A glob: `*` within a path segment, `**` across them, `?` any one character, `{a,b}` one of several; or a regular
 * expression between slashes, with flags.
 */
function matcher(pattern: string): RegExp {
  const [, expression, flags] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (expression !== undefined) {
    try {
      return new RegExp(expression, (flags ?? '').replace(/[gy]/g, ''));
    } catch {
      throw refusal('The pattern is not a valid regular expression.');
    }
  }
  return new RegExp(`^${sourceOfGlob(pattern)}$`);
}

const wildcards: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '.' };

function sourceOfGlob(glob: string): string {
  const groups = /\{([^{}]*)\}/g;
  let source = '';
  let end = 0;
  for (const group of glob.matchAll(groups)) {
    const choices = (group[1] ?? '').split(',').map(plainGlob);
    source += `${plainGlob(glob.slice(end, group.index))}(?:${choices.join('|')})`;
    end = group.index + group[0].length;
  }
  return source + plainGlob(glob.slice(end));
}

const plainGlob = (glob: string): string =>
  glob.replace(/\*\*|[*?]|[.+^${}()|[\]\\]/g, (part) => wildcards[part] ?? `\\${part}`);
