import { useLayoutEffect, useMemo } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { Rows } from './rows.ts';

interface Kept<Item> {
  readonly rows: Rows<Item>;
  /** How far the page was scrolled when it was left, in CSS pixels; undefined before. */
  y: number | undefined;
}

/** The last lists, each a `Kept` of its items, by entry of the session history and name. */
const kept = new Map<string, unknown>();
const MOST = 12;

/** Must be called when another account is signed in. */
export const forgetRows = (): void => kept.clear();

/** True if the page was reached through the session history, and the user has done nothing since. */
let isBack = false;
addEventListener('popstate', () => (isBack = true), { capture: true });
for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(type, () => (isBack = false), { capture: true, passive: true });

const entryOf = (): string | undefined => (history.state as { entry?: string } | null)?.entry;

/** The id of the current entry of the session history. */
function nameEntry(): string {
  const entry = entryOf() ?? crypto.randomUUID();
  history.replaceState({ ...(history.state as object | null), entry }, '');
  return entry;
}

/** Returns the rows of this list at this entry of the session history, if they could be read. */
function keptAs<Item>(name: string): Kept<Item> | undefined {
  const found = kept.get(`${entryOf()} ${name}`) as Kept<Item> | undefined;
  return found?.rows.failure.value === undefined ? found : undefined;
}

function keep(key: string, list: unknown): void {
  kept.delete(key);
  kept.set(key, list);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}

/**
 * Rows of a list, created anew for each name. A return through the history restores the loaded rows and the scroll
 * position.
 */
export function useKeptRows<Item>(name: string, make: () => Rows<Item>): Rows<Item> {
  const { url, path } = useLocation();
  const { path: own } = useRoute();
  const list = useMemo(() => keptAs<Item>(name) ?? { rows: make(), y: undefined }, [name]);
  useLayoutEffect(() => {
    // While the chunk of another page is loading, the address is already that page's.
    if (path !== own) return undefined;
    keep(`${nameEntry()} ${name}`, list);
    if (isBack && list.y !== undefined) scrollTo(0, list.y);
    return () => {
      list.y = scrollY;
    };
  }, [list, url]);
  return list.rows;
}
