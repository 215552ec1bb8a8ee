import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { cookieOf } from './cookies.ts';
import { refusesKey } from './problem.ts';
import type { RequestFacts } from './types.ts';

/**
 * The credential of a request: the bearer token of its `Authorization` header or, without that header, what the query has
 * where the route takes it there, or the cookie of a web session. Missing, or of another scheme, is `unauthorized`; the credential itself is not judged.
 */
export function credentialIn(
  request: Pick<RequestFacts, 'header'> & Partial<Pick<RequestFacts, 'credentialInQuery'>>,
): string {
  const header = request.header('authorization');
  if (header === undefined) {
    const other = request.credentialInQuery ?? cookieOf(request, 'session');
    if (other !== undefined) return other;
  }
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined)
    throw refuse('unauthorized', 'Send an API key or an access token as Authorization: Bearer <credential>.');
  return token;
}

/**
 * Whether a browser sent the credential on its own, so that the page that made it do so must be ours. A route without scopes
 * may act by either cookie: signing out does.
 */
export const usesCookie = (route: Route, request: Pick<RequestFacts, 'header'>): boolean => {
  if (route.method === 'GET' || request.header('authorization') !== undefined) return false;
  const cookies = route.scopes === null ? (['refresh', 'session'] as const) : (['session'] as const);
  return cookies.some((cookie) => cookieOf(request, cookie) !== undefined);
};

/** Throttles failed attempts by address. Both throw `rate-limited` at the limit. */
export interface Attempts {
  /** Before a credential that is not known here is looked up. */
  assertAllowed(address: string): Promise<void>;
  /** After a credential was refused. */
  failed(address: string): Promise<void>;
}

/** Calls `beforeLookUp` before it asks a store about a credential it does not know; never for one that works here. */
export type Authenticate<Caller> = (
  request: RequestFacts,
  beforeLookUp: () => Promise<void>,
) => Promise<Caller>;

/**
 * Limits the credentials that an address may try. Above the limit every credential that would be refused is answered
 * `rate-limited`, and one that is not cached here is not looked up. A cached credential keeps working, whatever its
 * neighbours behind the same address do.
 */
export const countingAttempts =
  <Caller>(authenticate: Authenticate<Caller>, attempts: Attempts) =>
  async (request: RequestFacts): Promise<Caller> => {
    const address = request.ip ?? 'unknown';
    try {
      return await authenticate(request, () => attempts.assertAllowed(address));
    } catch (error) {
      // A request without a credential is no attempt: it costs nothing to refuse and guesses nothing.
      if (error instanceof Refusal && refusesKey(error)) await attempts.failed(address);
      throw error;
    }
  };
