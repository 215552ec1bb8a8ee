import { Refusal, refuse } from '../../contracts/problems.ts';
import { refusesKey } from './problem.ts';
import type { RequestFacts } from './types.ts';

/** The API key of an `Authorization` header. Missing, or of another scheme, is `unauthorized`; the key itself is not judged. */
export function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) throw refuse('unauthorized', 'Send the API key as Authorization: Bearer <key>.');
  return token;
}

/** Counts the failed attempts of an address. Both throw `rate-limited` when there were too many lately. */
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
 * `rate-limited`, and one that is not cached here is not looked up. A credential in use goes on working, whatever its
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
