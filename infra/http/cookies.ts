import { parse, serialize } from 'cookie';
import { parsedUrl } from '../../contracts/url.ts';
import { refuse } from '../../contracts/problems.ts';
import { cookieName, webCookies, type WebCookie } from '../../contracts/web-cookies.ts';
import type { RequestFacts } from './types.ts';

type Facts = Pick<RequestFacts, 'header'>;

const all = Object.keys(webCookies) as WebCookie[];

/** Until then secure cookies are also read without their prefix, for browsers signed in by an earlier release. */
export const unprefixedUntil = Date.parse('2027-03-01');

/**
 * The service's cookies in a `Cookie` header, by names without prefix.
 *
 * @param now milliseconds since 1970
 */
export function ownCookies(header: string | undefined, isSecure: boolean, now: number): string | undefined {
  if (header === undefined || !isSecure) return header;
  const sent = parse(header);
  const own = all.flatMap((cookie) => {
    const { name } = webCookies[cookie];
    const value = sent[cookieName(cookie, true)] || (now < unprefixedUntil ? sent[name] : undefined);
    return value ? [serialize(name, value)] : [];
  });
  return own.length === 0 ? undefined : own.join('; ');
}

export const cookieOf = ({ header }: Facts, cookie: WebCookie): string | undefined =>
  parse(header('cookie') ?? '')[webCookies[cookie].name] || undefined;

export interface CookieTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
}

const setCookie = (name: string, value: string, { path, maxAge, secure }: CookieScope): string =>
  serialize(name, value, { httpOnly: true, sameSite: 'lax', secure, path, maxAge });

interface CookieScope {
  readonly path: string;
  /** In seconds. */
  readonly maxAge: number;
  readonly secure: boolean;
}

/** `Set-Cookie` at a sign-in. */
export const signInCookies = (
  { accessToken, accessSeconds, refreshToken, refreshSeconds }: CookieTokens,
  secure: boolean,
): readonly string[] => [
  setCookie(cookieName('session', secure), accessToken, {
    ...{ path: webCookies.session.path, maxAge: accessSeconds, secure },
  }),
  setCookie(cookieName('refresh', secure), refreshToken, {
    ...{ path: webCookies.refresh.path, maxAge: refreshSeconds, secure },
  }),
];

/** `Set-Cookie` at a sign-out: clears all accepted names. */
export const signOutCookies = (secure: boolean): readonly string[] =>
  all.flatMap((cookie) =>
    [...new Set([cookieName(cookie, secure), webCookies[cookie].name])].map((name) =>
      setCookie(name, '', { path: webCookies[cookie].path, maxAge: 0, secure }),
    ),
  );

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
