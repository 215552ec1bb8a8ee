import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { ownedContext, type CommandContext } from '../engine/context.ts';

/** A watcher's identity: the same for all joins of an account, so that a new join replaces the previous one. */
export const identityOf = (account: AccountId): string => `customer-${uuidOf(account)}`;

/** The account of a participant; undefined for one who joined by a link. */
export function accountOf(identity: string): AccountId | undefined {
  const [, uuid] = /^customer-(.+)$/.exec(identity) ?? [];
  return uuid === undefined ? undefined : toId('account', uuid);
}

/**
 * A participant acts as the account of its token. One who joined by a link has no account; the node that admitted it is the
 * actor.
 */
export function participantContext(
  context: CommandContext,
  identity: string,
  accountId: AccountId,
): CommandContext {
  const person = accountOf(identity);
  if (person === undefined) return ownedContext(context, accountId);
  const asOther = person === accountId ? {} : { actor_account_id: person };
  return { ...context, actor: { kind: 'user', account_id: accountId, ...asOther } };
}
