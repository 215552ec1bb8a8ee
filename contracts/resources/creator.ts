import type { Actor } from '../events/metadata.ts';
import { idSchema, parseId } from '../ids.ts';
import { closed, nullable, type Static } from '../schema.ts';

/** Who made something on an account: whose credential it was, a team member's or the owner's own, and which key. */
export const Creator = closed({
  account_id: nullable(idSchema('account')),
  api_key_id: nullable(idSchema('apiKey')),
});
export type Creator = Static<typeof Creator>;

/** Null for what staff or the service itself made. */
export function creatorOf({ kind, account_id, actor_account_id, actor_key_id }: Actor): Creator | null {
  if (kind !== 'user' && kind !== 'api_key') return null;
  return {
    account_id: parseId('account', actor_account_id ?? account_id ?? '') ?? null,
    api_key_id: parseId('apiKey', actor_key_id ?? '') ?? null,
  };
}
