import type { Scope } from '../../contracts/events/api-key.ts';
import { refuse } from '../../contracts/problems.ts';
import { scopesBeyond } from '../../domain/api-key.ts';

/** Who makes a key: staff, or a customer by a key with these scopes. */
export type Grantor = 'staff' | { readonly scopes: readonly Scope[] };

/** A key makes no owners: `account_owner` comes from the owner's own session, or from staff. */
export function assertMayGrant(by: Grantor, scopes: readonly Scope[]): void {
  if (by !== 'staff' && scopes.includes('account_owner'))
    throw refuse('forbidden', 'An API key cannot give account_owner to another one.');
  assertHolds(by, scopes);
}

/** Rotating shows a key in plain text, so it takes as much as the key gives. */
export function assertHolds(by: Grantor, scopes: readonly Scope[]): void {
  if (by === 'staff') return;
  const wider = scopesBeyond(scopes, by.scopes);
  if (wider.length > 0) throw refuse('forbidden', `The calling key does not hold ${wider.join(', ')}.`);
}
