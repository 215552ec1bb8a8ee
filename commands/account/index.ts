import { v5 as uuidv5 } from 'uuid';
import { refuse } from '../../contracts/problems.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { account, type AccountCommand } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { now, ownedContext, ownedStep, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { addressOf, emailHolder, type EmailPorts } from './email.ts';

export { addressOf, emailHolder, mailboxOf, ownAddress, type EmailPorts } from './email.ts';

export interface AccountPorts extends EmailPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** Seals a field under the account's own data key (the vault's `seal`). */
  readonly seal: (accountId: AccountId, field: string, text: string) => Promise<string>;
}

/** What happens to accounts. Positions are undefined when nothing was left to do. */
export function createAccountCommands(ports: AccountPorts) {
  const at = (): string => now(ports);
  const change = async (accountId: AccountId, command: AccountCommand, context: CommandContext) =>
    (await ports.runner.run(account, uuidOf(accountId), command, ownedContext(context, accountId))).position;
  return {
    create: (given: NewAccount, context: CommandContext) => createAccount(ports, given, context),
    setTier: (accountId: AccountId, tier: Tier, context: CommandContext) =>
      change(accountId, { type: 'SetTier', tier, at: at() }, context),
    /** `limit` null takes the override back. */
    overrideConcurrency: (accountId: AccountId, limit: number | null, context: CommandContext) =>
      change(accountId, { type: 'OverrideConcurrency', limit, at: at() }, context),
    suspend: (accountId: AccountId, reason: string, context: CommandContext) =>
      change(accountId, { type: 'SuspendAccount', reason, at: at() }, context),
    unsuspend: (accountId: AccountId, context: CommandContext) =>
      change(accountId, { type: 'UnsuspendAccount', at: at() }, context),
    /** Stops everything of a suspended or erased account. */
    isStopped: async (accountId: AccountId): Promise<boolean> => {
      const { state } = await ports.runner.load(account, uuidOf(accountId));
      return state.status === 'suspended' || state.status === 'erased';
    },
  };
}

export type AccountCommands = ReturnType<typeof createAccountCommands>;

export interface NewAccount {
  readonly email: string;
  readonly tier: Tier;
  /** For an account made by sign-up. */
  readonly signUp?: { readonly passwordHash: string; readonly acceptedRevision: string };
}

/**
 * The address is reserved first and decides who gets it. A reservation without an account, after a crash in between, is
 * completed by the next sign-up; of two concurrent ones, one makes the account.
 */
export async function createAccount(
  ports: AccountPorts,
  { email, tier, signUp }: NewAccount,
  context: CommandContext,
) {
  const { runner, seal } = ports;
  const address = addressOf(email);
  const holder = await emailHolder(ports, address);
  if (holder?.exists) throw refuse('email-already-registered');
  const accountId = holder?.accountId ?? toId('account', uuidv5('account', context.commandId));
  const at = now(ports);
  const reserve = { type: 'ReserveEmail', accountId, at } as const;
  const step = (name: string) => ownedStep(context, accountId, name);
  await runner.run(emailReservation, ports.emailUuid(address), reserve, step('reserve-email'));
  const sealedEmail = await seal(accountId, 'email', address);
  const signedUp = signUp && {
    sealedPasswordHash: await seal(accountId, passwordField, signUp.passwordHash),
    acceptedRevision: signUp.acceptedRevision,
  };
  const create = { type: 'CreateAccount', accountId, sealedEmail, tier, ...signedUp, at } as const;
  const { position } = await runner.run(account, uuidOf(accountId), create, step('create-account'), {
    create: true,
  });
  return { accountId, position, sealedPasswordHash: signedUp?.sealedPasswordHash, at };
}

/** The name that a password's hash is sealed under. */
export const passwordField = 'password_hash';
