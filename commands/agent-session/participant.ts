import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { ownedContext, type CommandContext } from '../engine/context.ts';

/** Who watches: the same for all joins of an account, so that the last one takes the place of those before. */
export const identityOf = (account: AccountId): string => `customer-${uuidOf(account)}`;

/** A participant acts as the account of its token; who came by a link has none, and the node that let it in answers for it. */
export function participantContext(
  context: CommandContext,
  identity: string,
  accountId: AccountId,
): CommandContext {
  const [, uuid] = /^customer-(.+)$/.exec(identity) ?? [];
  if (uuid === undefined) return ownedContext(context, accountId);
  const person = toId('account', uuid);
  const asOther = person === accountId ? {} : { actor_account_id: person };
  return { ...context, actor: { kind: 'user', account_id: accountId, ...asOther } };
}
