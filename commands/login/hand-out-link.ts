import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { login } from '../../domain/login.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { ownAddress } from '../account/index.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { LoginPorts } from './ports.ts';
import { newToken, tokenText } from './tokens.ts';

type HandOutPorts = Pick<LoginPorts, 'runner' | 'clock' | 'vault' | 'lifetimesMs'> & {
  readonly oneTimeTokens: Pick<OneTimeTokens, 'textOf'>;
};

/**
 * Issues a sign-in link once, for staff to pass on. The owner is mailed the same link, and the previous one stops working. Throws
 * for a missing or erased account.
 */
export async function handOutLink(
  ports: HandOutPorts,
  accountId: AccountId,
  by: CommandContext,
): Promise<{ readonly token: string; readonly expiresAt: string }> {
  if ((await ownAddress(ports, accountId)) === null) throw refuse('not-found');
  const token = newToken(ports, 'magic_link', by);
  const command = { type: 'IssueToken', accountId, purpose: 'magic_link', token, at: now(ports) } as const;
  await ports.runner.run(login, uuidOf(accountId), command, ownedContext(by, accountId));
  return {
    token: tokenText(ports.oneTimeTokens, accountId, 'magic_link', token),
    expiresAt: token.expiresAt,
  };
}
