import { invalid } from '../../contracts/field-errors.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import { isMailAddress, isPlainDomain, sentDomain } from '../../infra/mail/address.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { Runner } from '../engine/runner.ts';

export interface EmailPorts {
  readonly runner: Pick<Runner, 'load'>;
  /** A uuid derived from the address, always the same, that does not reveal it. */
  readonly emailUuid: (email: string) => string;
}

/** Deliberately loose: one `@` between two parts, a dot in the second. Only a mail that arrives proves an address. */
const emailShape = /^[^\s@]{1,64}@[^\s@]{1,189}\.[^\s@]{1,63}$/u;

/** Normalises an address for comparison and storage: trimmed, lower case, and then NFC, since lower case can have letters to compose. */
export function addressOf(email: string): string {
  const address = email.trim().toLowerCase().normalize('NFC');
  if (emailShape.test(address)) return address;
  throw noAddress();
}

const noAddress = () =>
  invalid({ path: '/body/email', code: 'format', message: 'must be an e-mail address' });

/**
 * The same for a new account or an invitation, which are useless without mail: also refuses an address that cannot
 * receive any, and another spelling of one that can.
 */
export function newAddressOf(email: string): string {
  const address = addressOf(email);
  if (isMailAddress(address) && isPlainDomain(domainOf(address))) return address;
  throw noAddress();
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The base form of an address: most servers deliver `name+anything@` to `name@`, and a domain has many spellings. */
export function mailboxOf(address: string): string {
  const name = address.slice(0, address.lastIndexOf('@') + 1).replace(/(?<=.)\+[^@]*@/, '@');
  return name + sentDomain(domainOf(address));
}

/** The address that the account was created with; null if the account does not exist or is erased. */
export async function ownAddress(
  { runner, vault }: { readonly runner: Pick<Runner, 'load'>; readonly vault: Pick<Vault, 'open'> },
  accountId: AccountId,
): Promise<string | null> {
  const { state } = await runner.load(account, uuidOf(accountId), { cached: true });
  return state.status === 'none' ? null : openSealed(vault, accountId, 'email', state.sealedEmail);
}

/** The account of an address. `exists` is false while the address is only reserved, for an account that may never be created. */
export interface EmailHolder {
  readonly accountId: AccountId;
  readonly exists: boolean;
}

/**
 * Null while the address is free. Both cases cost the same reads, so that timing does not reveal which addresses are
 * registered.
 */
export async function emailHolder(
  { runner, emailUuid }: EmailPorts,
  address: string,
): Promise<EmailHolder | null> {
  const uuid = emailUuid(address);
  const { accountId } = (await runner.load(emailReservation, uuid)).state;
  const { state } = await runner.load(account, accountId === null ? uuid : uuidOf(accountId));
  return accountId === null ? null : { accountId, exists: state.status !== 'none' };
}
