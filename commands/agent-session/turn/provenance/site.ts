import { getDomain } from 'tldts';
import { parsedUrl } from '../../../../contracts/url.ts';

/**
 * The owner of an address: a registrable domain (`shop.example` of `https://a.shop.example/`), or `=` and the host if it has none (an IP
 * address, `localhost`, a public suffix), which stands for that host only.
 */
export type Site = string;

/** The unknown origin of words. Not the name of any site. */
export const nobody: Site = '?';

const known = { allowPrivateDomains: true } as const;

/** The site of an absolute http or https address; null for any other. */
export function siteOf(address: string): Site | null {
  const url = urlOf(address);
  if (url === null || url.hostname === '') return null;
  return getDomain(url.hostname, known) ?? `=${url.hostname}`;
}

/** The site's name for people. */
export const nameOf = (site: Site): string => (site === nobody ? 'another site' : site.replace(/^=/, ''));

/** Parses an absolute http or https address, or one within a `blob:`; null for any other. */
export function urlOf(address: string): URL | null {
  const bare = address.replace(/^blob:/i, '');
  const url = parsedUrl(bare);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : null;
}

/** Normalizes an address for comparison. */
export const hrefOf = (address: string): string => urlOf(address)?.href ?? address;

const hosts =
  /((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-f:.]+\])(?=[:/?#\s"'<>(),;.!]|$)/giu;

/** Parts of a text that may contain a host, with the character after it; so that a long text is searched once, and not from each letter. */
const runs = /[\p{L}\p{N}.-]+[^\p{L}\p{N}.[-]?|\[[\da-f:.]+\][^\p{L}\p{N}]?/giu;
/** Maximal characters of a part: longer than any host, even in scripts without blanks. */
const longestRun = 1000;
const mayHaveHost = (run: string): boolean =>
  run.length <= longestRun && (/[.[]/.test(run) || /localhost/i.test(run));

/** The sites whose full hosts a text contains. */
export const sitesIn = (text: string): ReadonlySet<Site> =>
  new Set(
    (text.match(runs) ?? [])
      .filter(mayHaveHost)
      .flatMap((run) => [...run.matchAll(hosts)])
      .flatMap(([, host = '']) => siteOf(`http://${host}`) ?? []),
  );

/** A site's name without its suffix: `wikipedia` for `wikipedia.org`. */
export const labelOf = (site: Site): string => (site.startsWith('=') ? '' : (site.split('.')[0] ?? ''));
