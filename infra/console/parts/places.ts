import type { ComponentType } from 'preact';
import { exec } from 'preact-iso/router';
import { areaNames } from '../strings.ts';

/** A page: its path below `/console`, with `:name` for parameters. */
export interface Page {
  readonly path: `/${string}`;
  /** Its name; its palette entry if the path has no parameters. */
  readonly name: string;
  readonly load: () => Promise<ComponentType>;
  /** Shown without a sign-in. */
  readonly isOpen?: true;
  /** Shows the user's own account, also while they act on the account of an owner: its routes ignore that. */
  readonly isOwn?: true;
}

/** A group of pages. One with an id has an entry in the navigation, which opens its first page. */
export interface Area {
  readonly id?: keyof typeof areaNames;
  readonly pages: readonly Page[];
  /** Path of a resource's page by id prefix: `{ ses_: '/sessions' }`. */
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
  /** Whether the page at this address needs a sign-in. */
  readonly isGated: (address: string) => boolean;
  /** Whether the page at this address is one of the user's own account only. */
  readonly isOwn: (address: string) => boolean;
}

let known: Known = { navigation: [], palette: [], ids: [], isGated: () => false, isOwn: () => false };

/** The address of a page as the router takes it. */
export const routeOf = ({ path }: Page): string => addressOf(path).replace(/\/$/, '');

/** Returns undefined if the address does not match, which its types do not say. */
export const fits = exec as (address: string, route: string) => unknown;

/** Must be called once before the first render: parts look pages up here instead of importing them. */
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
  const oneOf = (isWanted: (page: Page) => boolean) => {
    const routes = areas.flatMap(({ pages }) => pages.filter(isWanted)).map(routeOf);
    return (address: string) => routes.some((route) => fits(address, route));
  };
  known = {
    ...{ navigation, palette, ids: areas.flatMap(({ ids = {} }) => Object.entries(ids)) },
    isGated: oneOf(({ isOpen = false }) => !isOpen),
    isOwn: oneOf(({ isOwn = false }) => isOwn),
  };
}

export const places = (): Known => known;

/** Path of a resource's page, by its id or the prefix of its kind; undefined if it has none. */
export function placeOf(id: string, kind = id): string | undefined {
  const path = known.ids.find(([prefix]) => kind.startsWith(prefix))?.[1];
  return path === undefined ? undefined : addressOf(`${path}/${encodeURIComponent(id)}`);
}
