import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { login } from '../../domain/login.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { ownAddress } from '../account/index.ts';
import { now, type CommandContext } from '../engine/context.ts';
import type { LoginPorts } from './ports.ts';
import { newToken, tokenText } from './tokens.ts';

type HandOutPorts = Pick<LoginPorts, 'runner' | 'clock' | 'vault' | 'lifetimesMs'> & {
  readonly oneTimeTokens: Pick<OneTimeTokens, 'textOf'>;
};

/**
 * The token of a link that signs an account in, once, for staff to hand on. It is the one that the mail which follows from it has: the owner
 * learns of it, and the link before stops working. Refused for an account that is not there, or is erased.
 */
export async function handOutLink(
  ports: HandOutPorts,
  accountId: AccountId,
  by: CommandContext,
): Promise<{ readonly token: string; readonly expiresAt: string }> {
  if ((await ownAddress(ports, accountId)) === null) throw refuse('not-found');
  const token = newToken(ports, 'magic_link', by);
  const command = { type: 'IssueToken', accountId, purpose: 'magic_link', token, at: now(ports) } as const;
  await ports.runner.run(login, uuidOf(accountId), command, by);
  return {
    token: tokenText(ports.oneTimeTokens, accountId, 'magic_link', token),
    expiresAt: token.expiresAt,
  };
}
