import { parseId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { invalid } from './problem.ts';
import type { Identity } from './types.ts';

/** Refuses a credential without any of the scopes the table asks for. */
export function assertScope(route: Route, { scopes }: Identity): void {
  if (route.scopes === null || route.scopes.some((scope) => scopes.includes(scope))) return;
  throw refuse('forbidden', `This needs one of the scopes ${route.scopes.join(', ')}.`);
}

/**
 * Settles whose account an `X-Service-Account` header means. Nobody is a member of a team yet, so the caller's own
 * account is the only one that exists for it, and every other owner is as unknown as a mistyped one.
 */
export function assertActingAccount(route: Route, { accountId }: Identity, header: string | undefined): void {
  if (route.accountHeader === 'ignored' || header === undefined) return;
  const owner = parseId('account', header);
  if (owner === undefined) {
    throw invalid({ path: '/headers/x-service-account', code: 'pattern', message: 'must be acc_<uuid>' });
  }
  if (owner !== accountId) throw refuse('not-found');
}
