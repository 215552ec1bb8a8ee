import { parse, serialize } from 'cookie';
import { parsedUrl } from '../../contracts/url.ts';
import { refuse } from '../../contracts/problems.ts';
import { cookieName, cookiePath, webCookies, type WebCookie } from '../../contracts/web-cookies.ts';
import type { RequestFacts } from './types.ts';

type Facts = Pick<RequestFacts, 'header'>;

const all = Object.keys(webCookies) as WebCookie[];

/** Until then secure cookies are also read by their earlier names, for browsers signed in by an earlier release. */
export const earlierNamesUntil = Date.parse('2027-03-01');

/**
 * The service's cookies in a `Cookie` header, by names without prefix.
 *
 * @param now milliseconds since 1970
 */
export function ownCookies(header: string | undefined, isSecure: boolean, now: number): string | undefined {
  if (header === undefined || !isSecure) return header;
  const sent = parse(header);
  const own = all.flatMap((cookie) => {
    const earlier = now < earlierNamesUntil ? earlierName(cookie, header) : undefined;
    const value = sent[cookieName(cookie, true)] ?? (earlier === undefined ? undefined : sent[earlier]);
    return value ? [serialize(webCookies[cookie].name, value)] : [];
  });
  return own.length === 0 ? undefined : own.join('; ');
}

/** The newest earlier name in the header. None if it is there twice: one of them may be a neighbouring host's. */
function earlierName(cookie: WebCookie, header: string): string | undefined {
  const names = header.split(';').map((pair) => pair.split('=', 1)[0]?.trim());
  const name = webCookies[cookie].earlier.find((each) => names.includes(each));
  return names.filter((each) => each === name).length === 1 ? name : undefined;
}

export const cookieOf = ({ header }: Facts, cookie: WebCookie): string | undefined =>
  parse(header('cookie') ?? '')[webCookies[cookie].name] || undefined;

export interface CookieTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
}

interface CookieScope {
  readonly path: string;
  /** In seconds. */
  readonly maxAge: number;
  readonly secure: boolean;
}

const setCookie = (name: string, value: string, { path, maxAge, secure }: CookieScope): string =>
  serialize(name, value, { httpOnly: true, sameSite: 'lax', secure, path, maxAge });

const setOwn = (cookie: WebCookie, value: string, maxAge: number, secure: boolean): string =>
  setCookie(cookieName(cookie, secure), value, { path: cookiePath(cookie, secure), maxAge, secure });

/** Over plain http the names have always been the same. */
const clearEarlier = (secure: boolean): readonly string[] =>
  all.flatMap((cookie) => {
    const { path, earlier } = webCookies[cookie];
    return secure ? earlier.map((name) => setCookie(name, '', { path, maxAge: 0, secure })) : [];
  });

/** `Set-Cookie` at a sign-in or refresh. Clears the earlier names. */
export const signInCookies = (
  { accessToken, accessSeconds, refreshToken, refreshSeconds }: CookieTokens,
  secure: boolean,
): readonly string[] => [
  setOwn('session', accessToken, accessSeconds, secure),
  setOwn('refresh', refreshToken, refreshSeconds, secure),
  ...clearEarlier(secure),
];

/** `Set-Cookie` at a sign-out: clears all accepted names. */
export const signOutCookies = (secure: boolean): readonly string[] => [
  ...all.map((cookie) => setOwn(cookie, '', 0, secure)),
  ...clearEarlier(secure),
];

/**
 * Refuses cross-site requests (CSRF): a change by cookie must come from a page of the service, as shown by `Sec-Fetch-Site` or
 * `Origin`, which pages cannot forge.
 *
 * @param origins further origins of the service, beside the requested one
 */
export function assertOwnOrigin({ header }: Facts, origins: readonly string[]): void {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  const isOurs = origin === undefined ? site === 'same-origin' : isOwn(origin, header('host'), origins);
  if (isOurs && (site === undefined || site === 'same-origin')) return;
  throw refuse(
    'forbidden',
    'A change with a cookie must come from a page of this service (Origin, Sec-Fetch-Site). Elsewhere send the ' +
      'credential as Authorization: Bearer.',
  );
}

function isOwn(origin: string, host: string | undefined, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true;
  return host !== undefined && parsedUrl(origin)?.host === host;
}
