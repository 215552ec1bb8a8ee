import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Accepts a revision of the terms for the account. Idempotent: the time of the first acceptance is kept. */
export async function acceptTerms(
  ports: CommandPorts,
  accountId: AccountId,
  revision: string,
  context: CommandContext,
) {
  const command = { type: 'AcceptTerms', revision, at: now(ports) } as const;
  const by = ownedContext(context, accountId);
  const { state, position } = await ports.runner.run(account, uuidOf(accountId), command, by);
  if (state.status === 'none' || state.acceptedAt === null)
    throw new Error(`${accountId} has accepted nothing.`);
  return { acceptedAt: state.acceptedAt, position };
}
