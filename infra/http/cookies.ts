import { parse, serialize } from 'cookie';
import { refuse } from '../../contracts/problems.ts';
import { cookieName, webCookies, type WebCookie } from '../../contracts/web-cookies.ts';
import type { RequestFacts } from './types.ts';

type Facts = Pick<RequestFacts, 'header'>;

const all = Object.keys(webCookies) as WebCookie[];

/** Until then secure cookies are read without their prefix too: browsers that signed in before there was one go on. */
export const unprefixedUntil = Date.parse('2027-03-01');

/**
 * Gives the cookies of ours in a `Cookie` header by their names without prefix, as the rest of the service knows them.
 *
 * @param now milliseconds
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
  /** Seconds. */
  readonly maxAge: number;
  readonly secure: boolean;
}

/** `Set-Cookie` at a log-in. */
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

/** `Set-Cookie` at a log-out: clears every name that is read. */
export const signOutCookies = (secure: boolean): readonly string[] =>
  all.flatMap((cookie) =>
    [...new Set([cookieName(cookie, secure), webCookies[cookie].name])].map((name) =>
      setCookie(name, '', { path: webCookies[cookie].path, maxAge: 0, secure }),
    ),
  );

/**
 * Refuses cross-site requests (CSRF): with a cookie, a change must come from a page of the service. A browser says
 * so by `Sec-Fetch-Site` or by `Origin`, which pages cannot write.
 *
 * @param origins ours, beside the one that the request was sent to
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
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host;
}
