import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { login, type LoginCommand } from '../../domain/login.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { addressOf, emailHolder, ownAddress, passwordField } from '../account/index.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { LoginPorts } from './ports.ts';
import { newToken, presentedToken } from './tokens.ts';

/** The position of the change; undefined if nothing changed. */
export interface Changed {
  readonly position: Position | undefined;
}

/**
 * Issues a link's token, and the event triggers its mail. Undefined for an address without an account, and above the limit of
 * mails: the previous link stays valid.
 */
export async function requestLink(
  ports: LoginPorts,
  purpose: 'verification' | 'magic_link' | 'password_reset',
  email: string,
  by: CommandContext,
): Promise<Changed | undefined> {
  const address = addressOf(email);
  if (await ports.mails.toRecipient(ports.emailUuid(address), `mail:${purpose}`)) return undefined;
  const holder = await emailHolder(ports, address);
  if (!holder?.exists || (await ownAddress(ports, holder.accountId)) === null) return undefined;
  const token = newToken(ports, purpose, by);
  return change(ports, holder.accountId, { type: 'IssueToken', purpose, token }, by);
}

/** Verifies the address of the account; signing in is possible from then on. */
export async function verifyEmail(ports: LoginPorts, text: string, by: CommandContext): Promise<Changed> {
  const { accountId, nonce } = await presentedToken(ports, text, 'verification');
  return change(ports, accountId, { type: 'VerifyEmail', nonce }, by);
}

/** Sets another password, and ends every session. A refused password leaves the link valid. */
export async function resetPassword(
  ports: LoginPorts,
  { token, password }: { readonly token: string; readonly password: string },
  by: CommandContext,
): Promise<Changed> {
  const { accountId, nonce } = await presentedToken(ports, token, 'password_reset');
  await ports.passwords.assertAcceptable(password);
  const hash = await ports.passwords.hash(password);
  const sealedPasswordHash = await ports.seal(accountId, passwordField, hash);
  const merge = newToken(ports, 'merge', by);
  return change(ports, accountId, { type: 'ResetPassword', nonce, sealedPasswordHash, merge }, by);
}

/** Confirms the second way to sign in, by the account's owner. */
export async function confirmMerge(ports: LoginPorts, text: string, by: CommandContext): Promise<Changed> {
  const { accountId, nonce } = await presentedToken(ports, text, 'merge');
  return change(ports, accountId, { type: 'ConfirmMethod', nonce }, by);
}

type Unstamped<Command> = Command extends unknown ? Omit<Command, 'at' | 'accountId'> : never;

async function change(
  ports: LoginPorts,
  accountId: AccountId,
  command: Unstamped<LoginCommand>,
  by: CommandContext,
): Promise<Changed> {
  // The parts of one command, merged again; the union type does not show that they belong together.
  const whole = { ...command, accountId, at: now(ports) } as LoginCommand;
  const { position } = await ports.runner.run(login, uuidOf(accountId), whole, ownedContext(by, accountId));
  return { position };
}
