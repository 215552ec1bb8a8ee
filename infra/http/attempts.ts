import { Refusal, type ProblemSlug } from '../../contracts/problems.ts';
import type { RequestFacts } from './types.ts';

/** What an address tries in vain. Both throw `rate-limited` when that was too much lately. */
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

/** A request without a credential is no attempt: it costs nothing to refuse and guesses nothing. */
const isAttempt: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'invalid-key',
  'revoked-key',
  'expired-key',
]);

/**
 * Lets an address try only so many credentials. Whoever uses up the tries is told to wait, the same for every credential
 * that is refused, and nothing is looked up any more for what is not known here. A credential in use goes on working,
 * whatever its neighbours behind the same address do.
 */
export const countingAttempts =
  <Caller>(authenticate: Authenticate<Caller>, attempts: Attempts) =>
  async (request: RequestFacts): Promise<Caller> => {
    const address = request.ip ?? 'unknown';
    try {
      return await authenticate(request, () => attempts.assertAllowed(address));
    } catch (error) {
      if (error instanceof Refusal && isAttempt.has(error.slug)) await attempts.failed(address);
      throw error;
    }
  };
