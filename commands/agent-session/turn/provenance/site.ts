import { getDomain } from 'tldts';

/**
 * Who answers at an address: a registrable domain (`shop.example` of `https://a.shop.example/`), or `=` and the host where that has
 * none (an IP address, `localhost`, a public suffix), which stands for that host alone.
 */
export type Site = string;

/** Words of which it is not known who said them. No site is called so. */
export const nobody: Site = '?';

const known = { allowPrivateDomains: true } as const;

/** Of an absolute http or https address; null of any other. */
export function siteOf(address: string): Site | null {
  const url = urlOf(address);
  if (url === null || url.hostname === '') return null;
  return getDomain(url.hostname, known) ?? `=${url.hostname}`;
}

/** What a person calls it. */
export const nameOf = (site: Site): string => (site === nobody ? 'another site' : site.replace(/^=/, ''));

/** An absolute http or https address, also one within a `blob:`. */
export function urlOf(address: string): URL | null {
  const bare = address.replace(/^blob:/i, '');
  const url = URL.canParse(bare) ? new URL(bare) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** The form in which addresses are compared. */
export const hrefOf = (address: string): string => urlOf(address)?.href ?? address;

const hosts =
  /((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-f:.]+\])(?=[:/?#\s"'<>(),;.!]|$)/giu;

/** What may have a host in it, with the character behind it; so that a long text is read once, and not from each of its letters. */
const runs = /[\p{L}\p{N}.-]+[^\p{L}\p{N}.[-]?|\[[\da-f:.]+\][^\p{L}\p{N}]?/giu;
/** Characters. No host is as long, even where the words around it have no blanks. */
const longestRun = 1000;
const mayHaveHost = (run: string): boolean =>
  run.length <= longestRun && (/[.[]/.test(run) || /localhost/i.test(run));

/** The sites that a text names by their hosts, in full. */
export const sitesIn = (text: string): ReadonlySet<Site> =>
  new Set(
    (text.match(runs) ?? [])
      .filter(mayHaveHost)
      .flatMap((run) => [...run.matchAll(hosts)])
      .flatMap(([, host = '']) => siteOf(`http://${host}`) ?? []),
  );

/** A site's name without its ending: `wikipedia` of `wikipedia.org`. */
export const labelOf = (site: Site): string => (site.startsWith('=') ? '' : (site.split('.')[0] ?? ''));
