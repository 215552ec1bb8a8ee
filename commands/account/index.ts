import { v5 as uuidv5 } from 'uuid';
import { account, type AccountCommand } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { now, ownedContext, ownedStep, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';

export interface AccountPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** Seals a field under the account's own data key (the vault's `seal`). */
  readonly seal: (accountId: AccountId, field: string, text: string) => Promise<string>;
  /** A uuid that an address has for good, and that does not give the address away. */
  readonly emailUuid: (email: string) => string;
}

/** What staff do to accounts. Positions are undefined when nothing was left to do. */
export function createAccountCommands(ports: AccountPorts) {
  const at = (): string => now(ports);
  const change = async (accountId: AccountId, command: AccountCommand, context: CommandContext) => {
    const cause = ownedContext(context, accountId);
    return (await ports.runner.run(account, uuidOf(accountId), command, cause)).position;
  };
  return {
    create: (given: { readonly email: string; readonly tier: Tier }, context: CommandContext) =>
      createAccount(ports, given.email, given.tier, context),
    setTier: (accountId: AccountId, tier: Tier, context: CommandContext) =>
      change(accountId, { type: 'SetTier', tier, at: at() }, context),
    /** `limit` null takes the override back. */
    overrideConcurrency: (accountId: AccountId, limit: number | null, context: CommandContext) =>
      change(accountId, { type: 'OverrideConcurrency', limit, at: at() }, context),
    suspend: (accountId: AccountId, reason: string, context: CommandContext) =>
      change(accountId, { type: 'SuspendAccount', reason, at: at() }, context),
    unsuspend: (accountId: AccountId, context: CommandContext) =>
      change(accountId, { type: 'UnsuspendAccount', at: at() }, context),
    isSuspended: async (accountId: AccountId): Promise<boolean> =>
      (await ports.runner.load(account, uuidOf(accountId))).state.status === 'suspended',
  };
}

export type AccountCommands = ReturnType<typeof createAccountCommands>;

/** Deliberately loose: one `@` between two parts, a dot in the second. Only a mail that arrives proves an address. */
const emailShape = /^[^\s@]{1,64}@[^\s@]{1,189}\.[^\s@]{1,63}$/u;

export function addressOf(email: string): string {
  const address = email.trim().normalize('NFC').toLowerCase();
  if (emailShape.test(address)) return address;
  throw invalid({ path: '/email', code: 'format', message: 'must be an e-mail address' });
}

/**
 * The address is reserved first and decides who gets it. A reservation whose account never came, for a crash in
 * between, is carried on by whoever asks next.
 */
async function createAccount(ports: AccountPorts, email: string, tier: Tier, context: CommandContext) {
  const { runner, seal } = ports;
  const address = addressOf(email);
  const reservation = ports.emailUuid(address);
  const holder = await emailHolder(ports, reservation);
  const accountId = holder ?? toId('account', uuidv5('account', context.commandId));
  const at = now(ports);
  const reserve = { type: 'ReserveEmail', accountId, at } as const;
  await runner.run(emailReservation, reservation, reserve, ownedStep(context, accountId, 'reserve-email'));
  const sealedEmail = await seal(accountId, 'email', address);
  const create = { type: 'CreateAccount', accountId, sealedEmail, tier, at } as const;
  const step = ownedStep(context, accountId, 'create-account');
  const { position } = await runner.run(account, uuidOf(accountId), create, step, { create: true });
  return { accountId, position };
}

/** For whom the address is reserved without an account yet; refuses one that has its account. */
async function emailHolder({ runner }: AccountPorts, reservation: string): Promise<AccountId | null> {
  const { accountId } = (await runner.load(emailReservation, reservation)).state;
  if (accountId === null) return null;
  const { state } = await runner.load(account, uuidOf(accountId));
  if (state.status !== 'none') throw refuse('email-already-registered');
  return accountId;
}
