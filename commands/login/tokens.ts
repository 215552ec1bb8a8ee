import { v5 as uuidv5 } from 'uuid';
import type { TokenPurpose } from '../../contracts/events/login.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { login, tokenRefused, type NewToken } from '../../domain/login.ts';
import { after } from '../../domain/kit/time.ts';
import type { OneTimeTokens, TokenClaim } from '../../infra/keys/one-time-tokens.ts';
import { ownAddress } from '../account/index.ts';
import { now, type CommandContext } from '../engine/context.ts';
import type { LoginPorts } from './ports.ts';

/** The token that a command issues; a repeated command issues the same one. */
export const newToken = (
  { clock, lifetimesMs }: Pick<LoginPorts, 'clock' | 'lifetimesMs'>,
  purpose: TokenPurpose,
  { commandId }: Pick<CommandContext, 'commandId'>,
): NewToken => ({
  nonce: uuidv5(purpose, commandId),
  expiresAt: after(now({ clock }), lifetimesMs[purpose]),
});

const claimOf = (accountId: AccountId, purpose: TokenPurpose, nonce: string): TokenClaim => ({
  purpose,
  subject: uuidOf(accountId),
  nonce,
});

/** The token in the mail's link. */
export const tokenText = (
  tokens: Pick<OneTimeTokens, 'textOf'>,
  accountId: AccountId,
  purpose: TokenPurpose,
  { nonce }: NewToken,
): string => tokens.textOf(claimOf(accountId, purpose, nonce));

/** A token that passed the checks so far; its stream decides. */
export interface PresentedToken {
  readonly accountId: AccountId;
  readonly nonce: string;
}

/** Throws `invalid-auth-token` unless the text is its purpose's one working token, with no distinction of causes. */
export async function presentedToken(
  ports: Pick<LoginPorts, 'runner' | 'clock' | 'vault' | 'oneTimeTokens'>,
  text: string,
  purpose: TokenPurpose,
): Promise<PresentedToken> {
  const { runner, clock, oneTimeTokens: tokens } = ports;
  const subject = tokens.subjectOf(text);
  if (subject === undefined) throw tokenRefused();
  const accountId = toId('account', subject);
  const current = (await runner.load(login, subject)).state.tokens[purpose];
  if (current === undefined || !tokens.matches(text, claimOf(accountId, purpose, current.nonce)))
    throw tokenRefused();
  if (Date.parse(current.expiresAt) <= clock.now().getTime()) throw tokenRefused();
  // An account without its data key cannot be logged in to.
  if ((await ownAddress(ports, accountId)) === null) throw tokenRefused();
  return { accountId, nonce: current.nonce };
}
