import { accountEvents, type AccountEvent } from '../contracts/events/account.ts';
import type { AccountId, ApiKeyId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { tierLimits, type Tier } from '../contracts/tiers.ts';
import type { Command, Decider } from './kit/decider.ts';

/** A key's reservation under the quota. A released one stays on record, so that the same key is never admitted again. */
export type KeyReservation = { readonly held: true; readonly since: string } | { readonly held: false };

export interface ExistingAccount {
  readonly status: 'active' | 'suspended';
  readonly accountId: AccountId;
  readonly sealedEmail: string;
  readonly tier: Tier;
  /** Concurrent sessions granted beyond the tier's. */
  readonly concurrencyOverride: number | null;
  readonly keys: Readonly<Partial<Record<ApiKeyId, KeyReservation>>>;
  readonly createdAt: string;
}

/** An account: its tier, whether it is suspended, and which API keys count towards the tier's quota of keys. */
export type Account = { readonly status: 'none' } | ExistingAccount;

export type CreateAccount = Command<
  'CreateAccount',
  { accountId: AccountId; sealedEmail: string; tier: Tier }
>;
export type SetTier = Command<'SetTier', { tier: Tier }>;
/** A limit of null withdraws the override. */
export type OverrideConcurrency = Command<'OverrideConcurrency', { limit: number | null }>;
export type SuspendAccount = Command<'SuspendAccount', { reason: string }>;
export type UnsuspendAccount = Command<'UnsuspendAccount'>;
/** Reserves quota for a key, before the key exists. */
export type AdmitApiKey = Command<'AdmitApiKey', { apiKeyId: ApiKeyId; by: 'customer' | 'staff' }>;
/** Transfers a rotated key's reservation to its successor. */
export type ReplaceApiKey = Command<'ReplaceApiKey', { apiKeyId: ApiKeyId; successorId: ApiKeyId }>;
/** Releases the reservation of a key that has ended. */
export type DismissApiKey = Command<'DismissApiKey', { apiKeyId: ApiKeyId }>;

export type AccountCommand =
  | CreateAccount
  | SetTier
  | OverrideConcurrency
  | SuspendAccount
  | UnsuspendAccount
  | AdmitApiKey
  | ReplaceApiKey
  | DismissApiKey;

type Decision = readonly AccountEvent[];

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  category: accountEvents,
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: AccountCommand, state: Account): Decision {
  if (command.type === 'CreateAccount') return createAccount(state, command);
  if (state.status === 'none') throw refuse('not-found');
  switch (command.type) {
    case 'SetTier':
      return setTier(state, command);
    case 'OverrideConcurrency':
      return overrideConcurrency(state, command);
    case 'SuspendAccount':
      return suspendAccount(state, command);
    case 'UnsuspendAccount':
      return state.status === 'active'
        ? []
        : [{ type: 'AccountUnsuspended', data: { accountId: state.accountId, at: command.at } }];
    case 'AdmitApiKey':
      return admitApiKey(state, command);
    case 'ReplaceApiKey':
      return replaceApiKey(state, command);
    case 'DismissApiKey':
      return dismissal(state, command.apiKeyId, command.at);
  }
}

function createAccount(state: Account, { type: _, ...data }: CreateAccount): Decision {
  if (state.status !== 'none') throw refuse('conflict', 'The account exists already.');
  return [{ type: 'AccountCreated', data }];
}

/** Keys and sessions beyond a smaller tier's limits stay; only new ones are refused. */
function setTier({ accountId, tier: from }: ExistingAccount, { tier: to, at }: SetTier): Decision {
  return from === to ? [] : [{ type: 'TierChanged', data: { accountId, from, to, at } }];
}

function overrideConcurrency(state: ExistingAccount, { limit, at }: OverrideConcurrency): Decision {
  if (limit === state.concurrencyOverride) return [];
  return [{ type: 'ConcurrencyOverridden', data: { accountId: state.accountId, limit, at } }];
}

function suspendAccount({ status, accountId }: ExistingAccount, { reason, at }: SuspendAccount): Decision {
  return status === 'suspended' ? [] : [{ type: 'AccountSuspended', data: { accountId, reason, at } }];
}

/** Staff may issue one key even on a tier that allows customers none. */
function admitApiKey(state: ExistingAccount, { apiKeyId, by, at }: AdmitApiKey): Decision {
  if (state.keys[apiKeyId]) return [];
  const { apiKeys: tierCap } = tierLimits[state.tier];
  if (by === 'customer' && state.status === 'suspended')
    throw refuse('forbidden', 'The account is suspended.');
  if (by === 'customer' && tierCap === 0)
    throw refuse('forbidden', `The ${state.tier} tier takes no API keys.`);
  const cap = by === 'staff' ? Math.max(1, tierCap) : tierCap;
  if (keyReservations(state).length >= cap)
    throw refuse('tier-limit', `The ${state.tier} tier holds at most ${cap} API keys.`);
  return [{ type: 'ApiKeyAdmitted', data: { accountId: state.accountId, apiKeyId, at } }];
}

/** The quota is not checked: a rotation leaves as many reservations as before. */
function replaceApiKey(state: ExistingAccount, { apiKeyId, successorId, at }: ReplaceApiKey): Decision {
  if (state.keys[successorId]) return [];
  return [
    ...dismissal(state, apiKeyId, at),
    { type: 'ApiKeyAdmitted', data: { accountId: state.accountId, apiKeyId: successorId, at } },
  ];
}

const dismissal = ({ keys, accountId }: ExistingAccount, apiKeyId: ApiKeyId, at: string): Decision =>
  keys[apiKeyId]?.held ? [{ type: 'ApiKeyDismissed', data: { accountId, apiKeyId, at } }] : [];

function evolve(state: Account, event: AccountEvent): Account {
  if (event.type === 'AccountCreated') {
    const { accountId, sealedEmail, tier, at } = event.data;
    return {
      status: 'active',
      accountId,
      sealedEmail,
      tier,
      concurrencyOverride: null,
      keys: {},
      createdAt: at,
    };
  }
  return state.status === 'none' ? state : change(state, event);
}

function change(
  state: ExistingAccount,
  { type, data }: Exclude<AccountEvent, { type: 'AccountCreated' }>,
): ExistingAccount {
  switch (type) {
    case 'TierChanged':
      return { ...state, tier: data.to };
    case 'ConcurrencyOverridden':
      return { ...state, concurrencyOverride: data.limit };
    case 'AccountSuspended':
      return { ...state, status: 'suspended' };
    case 'AccountUnsuspended':
      return { ...state, status: 'active' };
    case 'ApiKeyAdmitted':
      return { ...state, keys: { ...state.keys, [data.apiKeyId]: { held: true, since: data.at } } };
    case 'ApiKeyDismissed':
      return { ...state, keys: { ...state.keys, [data.apiKeyId]: { held: false } } };
  }
}

/** The tier's concurrent sessions, or the account's override when that is higher: an override never lowers the limit. */
export const concurrentSessions = ({ tier, concurrencyOverride }: ExistingAccount): number =>
  Math.max(tierLimits[tier].concurrentSessions, concurrencyOverride ?? 0);

/** The keys that count towards the quota, each with the time of its reservation. */
export const keyReservations = (
  state: Account,
): readonly { readonly id: ApiKeyId; readonly since: string }[] =>
  Object.entries(state.status === 'none' ? {} : state.keys).flatMap(([id, reservation]) =>
    reservation?.held ? [{ id: id as ApiKeyId, since: reservation.since }] : [],
  );
