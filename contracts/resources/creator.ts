import type { Actor } from '../events/metadata.ts';
import { idSchema, parseId } from '../ids.ts';
import { closed, nullable, type Static } from '../schema.ts';

/** Who created a resource of an account: the account and key of the credential, a team member's or the owner's. */
export const Creator = closed({
  account_id: nullable(idSchema('account')),
  api_key_id: nullable(idSchema('apiKey')),
});
export type Creator = Static<typeof Creator>;

/** Null if staff or the service created it. */
export function creatorOf({ kind, account_id, actor_account_id, actor_key_id }: Actor): Creator | null {
  if (kind !== 'user' && kind !== 'api_key') return null;
  return {
    account_id: parseId('account', actor_account_id ?? account_id ?? '') ?? null,
    api_key_id: parseId('apiKey', actor_key_id ?? '') ?? null,
  };
}
