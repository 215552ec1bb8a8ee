import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { bearerToken } from '../platform/presented-secrets.ts';
import { cookieOf } from './cookies.ts';
import { refusesKey } from './problem.ts';
import type { RequestFacts } from './types.ts';

/**
 * The credential of a request: the bearer token of its `Authorization` header, else the query parameter if the route accepts one,
 * else the cookie of a web session. Throws `unauthorized` if it is missing, or of another scheme; does not validate it.
 */
export function credentialIn(
  request: Pick<RequestFacts, 'header'> & Partial<Pick<RequestFacts, 'credentialInQuery'>>,
): string {
  const header = request.header('authorization');
  if (header === undefined) {
    const other = request.credentialInQuery ?? cookieOf(request, 'session');
    if (other !== undefined) return other;
  }
  const token = bearerToken(header);
  if (token === undefined)
    throw refuse('unauthorized', 'Send an API key or an access token as Authorization: Bearer <credential>.');
  return token;
}

/**
 * Whether the credential is a cookie, which a browser sends for any page, so that the page's origin must be checked. A sign-in
 * route without scopes may act by either cookie: signing out does.
 */
export const usesCookie = (route: Route, request: Pick<RequestFacts, 'header'>): boolean => {
  if (route.method === 'GET' || request.header('authorization') !== undefined) return false;
  const readsRefresh = route.scopes === null && route.path.startsWith('/v1/auth/');
  const cookies = readsRefresh ? (['refresh', 'session'] as const) : (['session'] as const);
  return cookies.some((cookie) => cookieOf(request, cookie) !== undefined);
};

/** Throttles failed attempts by address. Both methods throw `rate-limited` at the limit. */
export interface AttemptLimiter {
  /** Called before an uncached credential is looked up. */
  assertAllowed(address: string): Promise<void>;
  /** Called after a credential was refused. */
  failed(address: string): Promise<void>;
}

/** Calls `beforeLookUp` before it queries a store about an uncached credential. */
export type Authenticate<Caller> = (
  request: RequestFacts,
  beforeLookUp: () => Promise<void>,
) => Promise<Caller>;

/**
 * Limits the credentials that an address may try. Above the limit every invalid credential is answered `rate-limited`, and an
 * uncached one is not looked up. A cached credential keeps working, regardless of others behind the same address.
 */
export const limitingAttempts =
  <Caller>(authenticate: Authenticate<Caller>, attempts: AttemptLimiter) =>
  async (request: RequestFacts): Promise<Caller> => {
    const address = request.ip ?? 'unknown';
    try {
      return await authenticate(request, () => attempts.assertAllowed(address));
    } catch (error) {
      // A request without a credential is not an attempt: it is cheap to refuse, and guesses nothing.
      if (error instanceof Refusal && refusesKey(error)) await attempts.failed(address);
      throw error;
    }
  };
