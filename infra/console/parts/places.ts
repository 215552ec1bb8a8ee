import type { ComponentType } from 'preact';
import { areaNames } from '../strings.ts';

/** A page: its address below `/console`, with `:name` for what differs. */
export interface Page {
  readonly path: `/${string}`;
  /** What people call it: the entry of the palette, where the address is whole. */
  readonly name: string;
  readonly load: () => Promise<ComponentType>;
  /** Needs nobody signed in. */
  readonly isOpen?: true;
}

/** Pages that belong together. One with an id stands in the navigation, which leads to its first page. */
export interface Area {
  readonly id?: keyof typeof areaNames;
  readonly pages: readonly Page[];
  /** Where a resource is shown, by the beginning of its id: `{ ses_: '/sessions' }`. */
  readonly ids?: Readonly<Record<string, `/${string}`>>;
}

export const base = '/console';

export const addressOf = (path: string): string => `${base}${path}`;

export interface Place {
  readonly name: string;
  readonly href: string;
}

interface Known {
  readonly navigation: readonly Place[];
  readonly palette: readonly Place[];
  readonly ids: readonly (readonly [prefix: string, path: string])[];
}

let known: Known = { navigation: [], palette: [], ids: [] };

/** To be called once, before anything is shown: parts ask here, so that they know no page. */
export function setPlaces(areas: readonly Area[]): void {
  const names = Object.entries(areaNames);
  const navigation = names.flatMap(([id, name]) =>
    areas
      .filter((area) => area.id === id)
      .flatMap(({ pages: [first] }) => (first ? [{ name, href: addressOf(first.path) }] : [])),
  );
  const inside = areas.filter(({ id }) => id !== undefined).flatMap(({ pages }) => pages);
  const palette = inside
    .filter(({ path }) => !path.includes(':'))
    .map(({ name, path }) => ({ name, href: addressOf(path) }));
  known = { navigation, palette, ids: areas.flatMap(({ ids = {} }) => Object.entries(ids)) };
}

export const places = (): Known => known;

/** The page of a resource, by its id or by the beginning of ids of its kind; undefined where it has none. */
export function placeOf(id: string, kind = id): string | undefined {
  const path = known.ids.find(([prefix]) => kind.startsWith(prefix))?.[1];
  return path === undefined ? undefined : addressOf(`${path}/${encodeURIComponent(id)}`);
}
