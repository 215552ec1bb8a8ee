import { parse, serialize } from 'cookie';
import { refuse } from '../../contracts/problems.ts';
import type { RequestFacts } from './types.ts';

/** The cookies of a web session. Both hold what clients without cookies send themselves. */
export const sessionCookie = 'service_session';
export const refreshCookie = 'service_refresh';

/** Where a refresh token is sent to, and nowhere else. */
const refreshPath = '/v1/auth';

type Facts = Pick<RequestFacts, 'header'>;

export const cookieOf = ({ header }: Facts, name: string): string | undefined => {
  const value = parse(header('cookie') ?? '')[name];
  return value === '' ? undefined : value;
};

export interface CookieTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
}

/** `Set-Cookie` for who signed in. `secure` is for every base address but plain http on loopback. */
export const signInCookies = (tokens: CookieTokens, secure: boolean): readonly string[] => {
  const common = { httpOnly: true, sameSite: 'lax', secure } as const;
  const { accessToken, accessSeconds, refreshToken, refreshSeconds } = tokens;
  return [
    serialize(sessionCookie, accessToken, { ...common, path: '/', maxAge: accessSeconds }),
    serialize(refreshCookie, refreshToken, { ...common, path: refreshPath, maxAge: refreshSeconds }),
  ];
};

/** `Set-Cookie` for who signed out. */
export const signOutCookies = (secure: boolean): readonly string[] =>
  signInCookies({ accessToken: '', refreshToken: '', accessSeconds: 0, refreshSeconds: 0 }, secure);

/**
 * Refuses what another site made a browser send: with a cookie, a change must come from a page of ours. A browser says
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
