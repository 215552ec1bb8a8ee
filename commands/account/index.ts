import { v5 as uuidv5 } from 'uuid';
import { refuse } from '../../contracts/problems.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { account, type AccountCommand } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { now, ownedContext, ownedStep, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { emailHolder, newAddressOf, type EmailPorts } from './email.ts';

export { addressOf, emailHolder, mailboxOf, newAddressOf, ownAddress } from './email.ts';

export interface AccountPorts extends EmailPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** The vault's `seal`: encrypts a field under the account's own data key. */
  readonly seal: (accountId: AccountId, field: string, text: string) => Promise<string>;
}

/** Commands on accounts. Positions are undefined if nothing changed. */
export function createAccountCommands(ports: AccountPorts) {
  const at = (): string => now(ports);
  const run = (accountId: AccountId, command: AccountCommand, context: CommandContext) =>
    ports.runner.run(account, uuidOf(accountId), command, ownedContext(context, accountId));
  const change = async (accountId: AccountId, command: AccountCommand, context: CommandContext) =>
    (await run(accountId, command, context)).position;
  return {
    create: (given: NewAccount, context: CommandContext) => createAccount(ports, given, context),
    /** `isConfirmed`: the account had the tier by its payments, and now keeps it when they end. */
    setTier: async (accountId: AccountId, tier: Tier, context: CommandContext) => {
      const { position, events } = await run(accountId, { type: 'SetTier', tier, at: at() }, context);
      return { position, isConfirmed: events.some(({ type }) => type === 'TierConfirmed') };
    },
    /** A null `limit` removes the override. */
    overrideConcurrency: (accountId: AccountId, limit: number | null, context: CommandContext) =>
      change(accountId, { type: 'OverrideConcurrency', limit, at: at() }, context),
    /** A null `limit` removes the override. */
    overrideProfileCap: (accountId: AccountId, limit: number | null, context: CommandContext) =>
      change(accountId, { type: 'OverrideProfileCap', limit, at: at() }, context),
    suspend: (accountId: AccountId, reason: string, context: CommandContext) =>
      change(accountId, { type: 'SuspendAccount', reason, at: at() }, context),
    unsuspend: (accountId: AccountId, context: CommandContext) =>
      change(accountId, { type: 'UnsuspendAccount', at: at() }, context),
    /** True for a suspended or erased account, whose resources are all to be ended. */
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
  /** Only for sign-ups. */
  readonly signUp?: { readonly passwordHash: string; readonly acceptedRevision: string };
}

/**
 * The address is reserved first, which decides who gets it. After a crash in between, the next sign-up completes the reservation;
 * of two concurrent sign-ups, one creates the account.
 */
export async function createAccount(
  ports: AccountPorts,
  { email, tier, signUp }: NewAccount,
  context: CommandContext,
) {
  const { runner, seal } = ports;
  const address = newAddressOf(email);
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

/** The field name under which a password's hash is sealed. */
export const passwordField = 'password_hash';
