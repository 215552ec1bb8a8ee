import { v5 as uuidv5 } from 'uuid';
import { account, type AccountCommand } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, stepContext, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';

export interface AccountPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** Seals a field under the account's own data key (the vault's `seal`). */
  readonly seal: (accountId: AccountId, field: string, text: string) => Promise<string>;
  /** A uuid that an address has for good, and that does not give the address away. */
  readonly emailUuid: (email: string) => string;
}

export interface NewAccount {
  readonly email: string;
  readonly tier: Tier;
}

export interface CreatedAccount {
  readonly accountId: AccountId;
  readonly position: Position | undefined;
}

/** What staff do to accounts. Positions are undefined when nothing was left to do. */
export function createAccountCommands(ports: AccountPorts) {
  const now = (): string => ports.clock.now().toISOString();
  const change = async (accountId: AccountId, command: AccountCommand, context: CommandContext) => {
    const cause = ownedContext(context, accountId);
    const { position } = await ports.runner.run(account, uuidOf(accountId), command, cause);
    return position;
  };

  return {
    create: (given: NewAccount, context: CommandContext) => createAccount(ports, given, context),
    setTier: (accountId: AccountId, tier: Tier, context: CommandContext) =>
      change(accountId, { type: 'SetTier', tier, at: now() }, context),
    /** `limit` null takes the override back. */
    overrideConcurrency: (accountId: AccountId, limit: number | null, context: CommandContext) =>
      change(accountId, { type: 'OverrideConcurrency', limit, at: now() }, context),
    suspend: (accountId: AccountId, reason: string, context: CommandContext) =>
      change(accountId, { type: 'SuspendAccount', reason, at: now() }, context),
    unsuspend: (accountId: AccountId, context: CommandContext) =>
      change(accountId, { type: 'UnsuspendAccount', at: now() }, context),
    isSuspended: async (accountId: AccountId): Promise<boolean> =>
      (await ports.runner.load(account, uuidOf(accountId))).state.status === 'suspended',
  };
}

export type AccountCommands = ReturnType<typeof createAccountCommands>;

/** Deliberately loose: one `@` between two parts, a dot in the second. Only a mail that arrives proves an address. */
const emailShape = /^[^\s@]{1,64}@[^\s@]{1,189}\.[^\s@]{1,63}$/u;

function addressOf(email: string): string {
  const address = email.trim().normalize('NFC').toLowerCase();
  if (emailShape.test(address)) return address;
  throw invalid({ path: '/email', code: 'format', message: 'must be an e-mail address' });
}

/**
 * The address is reserved first and decides who gets it. A reservation whose account never came, for a crash in
 * between, is carried on by whoever asks next.
 */
async function createAccount(
  ports: AccountPorts,
  { email, tier }: NewAccount,
  context: CommandContext,
): Promise<CreatedAccount> {
  const { runner, clock, seal } = ports;
  const address = addressOf(email);
  const reservation = ports.emailUuid(address);
  const holder = await emailHolder(ports, reservation);
  const accountId = holder ?? toId('account', uuidv5('account', context.commandId));
  const cause = ownedContext(context, accountId);
  const at = clock.now().toISOString();
  await runner.run(
    emailReservation,
    reservation,
    { type: 'ReserveEmail', accountId, at },
    stepContext(cause, 'reserve-email'),
  );
  const sealedEmail = await seal(accountId, 'email', address);
  const { position } = await runner.run(
    account,
    uuidOf(accountId),
    { type: 'CreateAccount', accountId, sealedEmail, tier, at },
    stepContext(cause, 'create-account'),
    { create: true },
  );
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
