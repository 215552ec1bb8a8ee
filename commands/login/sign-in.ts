import { scopes } from '../../contracts/events/api-key.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { epochOf, login, type Login } from '../../domain/login.ts';
import { addressOf, emailHolder, passwordField } from '../account/index.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { Holder, IssuedTokens } from '../web-session/index.ts';
import type { LoginPorts } from './ports.ts';
import { newToken, presentedToken } from './tokens.ts';

/** Signed in, or a second factor is required. */
export type SignIn = { readonly issued: IssuedTokens } | { readonly mfaToken: string };

export interface PasswordGiven {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in by password. An unknown address, a wrong password, an account without a password and an unverified address
 * cost the same work: the same reads and one hash. An unverified address is reported only with the right password.
 */
export async function signIn(
  ports: LoginPorts,
  { email, password }: PasswordGiven,
  holder: Holder,
  by: CommandContext,
): Promise<SignIn> {
  const address = addressOf(email);
  const addressUuid = ports.emailUuid(address);
  return ports.delays.admit(addressUuid, holder.ip, async () => {
    const { accountId, state, passwordHash } = await loginOf(ports, address);
    if (!(await ports.passwords.matches(password, passwordHash)) || accountId === null) {
      await ports.delays.failed(addressUuid);
      if (accountId !== null) recordFailure(ports, accountId, by);
      throw refuse('invalid-credentials', 'The address or the password is wrong.');
    }
    if (!state.verified) throw refuse('email-not-verified', 'Open the link in the mail that was sent to it.');
    return admit(ports, accountId, state, holder, by);
  });
}

/** The login of an address. An unknown address gives an empty one at the cost of the same read. */
async function loginOf(ports: LoginPorts, address: string) {
  const { runner, vault } = ports;
  const found = await emailHolder(ports, address);
  const accountId = found?.exists ? found.accountId : null;
  const uuid = accountId === null ? ports.emailUuid(address) : uuidOf(accountId);
  const { state } = await runner.load(login, uuid);
  const { sealedPasswordHash } = state;
  if (accountId === null || sealedPasswordHash === null) return { accountId, state, passwordHash: null };
  return {
    accountId,
    state,
    passwordHash: await openSealed(vault, accountId, passwordField, sealedPasswordHash),
  };
}

/**
 * Records a wrong password. Not awaited, because timing would reveal whether the account exists. At the tenth one the event
 * triggers a mail to the owner; the throttle counts by address, known or not.
 */
function recordFailure(ports: LoginPorts, accountId: AccountId, by: CommandContext): void {
  const { runner, logger } = ports;
  const failed = { accountId, attemptId: by.commandId, at: now(ports) };
  const command = { type: 'RecordFailedSignIn', ...failed } as const;
  runner.run(login, uuidOf(accountId), command, ownedContext(by, accountId)).catch((error: unknown) => {
    logger.warn({ err: error, account: accountId }, 'A refused sign-in was not recorded.');
  });
}

/** Signs in by a mailed link. */
export async function useMagicLink(
  ports: LoginPorts,
  text: string,
  holder: Holder,
  by: CommandContext,
): Promise<SignIn> {
  const { accountId, nonce } = await presentedToken(ports, text, 'magic_link');
  const merge = newToken(ports, 'merge', by);
  const command = { type: 'UseMagicLink', accountId, nonce, merge, at: now(ports) } as const;
  const { state } = await ports.runner.run(login, uuidOf(accountId), command, ownedContext(by, accountId));
  return admit(ports, accountId, state, holder, by);
}

export const hasSecondFactor = async (
  { secondFactors }: Pick<LoginPorts, 'secondFactors'>,
  accountId: AccountId,
): Promise<boolean> => (await secondFactors?.isEnrolled(accountId)) ?? false;

/** Opens a web session with every scope, or requires the second factor. */
async function admit(
  { webSessions, secondFactors }: Pick<LoginPorts, 'webSessions' | 'secondFactors'>,
  accountId: AccountId,
  state: Login,
  holder: Holder,
  by: CommandContext,
): Promise<SignIn> {
  const epoch = epochOf(state);
  if (secondFactors !== undefined && (await secondFactors.isEnrolled(accountId)))
    return { mfaToken: await secondFactors.issueToken(accountId, epoch) };
  const session = { accountId, epoch, scopes: [...scopes], confirmed: false };
  return { issued: await webSessions.open({ ...session, kind: 'web_session' }, holder, by) };
}

/** The account's login epoch: web sessions of a lower one have ended. */
export const currentEpoch = async (
  { runner }: Pick<LoginPorts, 'runner'>,
  accountId: AccountId,
): Promise<number> => epochOf((await runner.load(login, uuidOf(accountId))).state);
