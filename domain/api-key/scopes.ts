import type { Scope } from '../../contracts/events/api-key.ts';

/** What a key with a scope may pass on: the broad scopes cover their granular ones. */
const covered: Record<Scope, readonly Scope[]> = {
  read: ['read', 'read:sessions'],
  write: ['write', 'write:sessions'],
  'read:sessions': ['read:sessions'],
  'write:sessions': ['write:sessions'],
  account_owner: ['account_owner'],
};

/** The requested scopes that reach beyond the held ones. */
export function beyond(requested: readonly Scope[], held: readonly Scope[]): Scope[] {
  const within = new Set(held.flatMap((scope) => covered[scope]));
  return requested.filter((scope) => !within.has(scope));
}
