import type { RoomRequest } from '../../contracts/fleet/room.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { actedBy, ownedContext, type CommandContext } from '../engine/context.ts';

/** A watcher's identity: the same for all joins of an account, so that a new join replaces the previous one. */
export const identityOf = (account: AccountId): string => `customer-${uuidOf(account)}`;

/** The account of a participant; undefined for one who joined by a link. */
export function accountOf(identity: string): AccountId | undefined {
  const [, uuid] = /^customer-(.+)$/.exec(identity) ?? [];
  return uuid === undefined ? undefined : toId('account', uuid);
}

/**
 * A participant acts as the account, and with the API key, of its token. One who joined by a link has no account; the node that admitted it is
 * the actor.
 */
export function participantContext(
  context: CommandContext,
  { participant, api_key_id: key }: Pick<RoomRequest, 'participant' | 'api_key_id'>,
  accountId: AccountId,
): CommandContext {
  const person = accountOf(participant);
  if (person === undefined) return ownedContext(context, accountId);
  const asOther = person === accountId ? {} : { actor_account_id: person };
  return { ...context, actor: { ...actedBy(key ?? null), account_id: accountId, ...asOther } };
}
