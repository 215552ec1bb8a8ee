import { accountEvents, type AccountEvent } from '../contracts/events/account.ts';
import type { ApiKeyId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { tierLimits, type Tier } from '../contracts/tiers.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

type Created = DataOf<AccountEvent, 'AccountCreated'>;

/** A key's reservation under the quota. A released one stays on record, so that the same key is never admitted again. */
export type KeyReservation = { readonly held: true; readonly since: string } | { readonly held: false };

export interface ExistingAccount extends Readonly<Omit<Created, 'at' | 'sealedPasswordHash'>> {
  /** An erased account is there in name only. */
  readonly status: 'active' | 'suspended' | 'erased';
  /** Of the terms, the last that was accepted. */
  readonly acceptedRevision: string | null;
  readonly acceptedAt: string | null;
  /** Concurrent sessions granted beyond the tier's. */
  readonly concurrencyOverride: number | null;
  readonly keys: Readonly<Partial<Record<ApiKeyId, KeyReservation>>>;
  readonly createdAt: string;
}

/** An account: its tier, whether it is suspended, which terms were accepted, and which API keys count towards the tier's quota of keys. */
export type Account = { readonly status: 'none' } | ExistingAccount;

export type AccountCommand = CommandsOf<{
  /** With the revision of the terms that was accepted at sign-up. Refused as a taken address is, which it then has. */
  CreateAccount: Created & { acceptedRevision?: string };
  AcceptTerms: { revision: string };
  SetTier: { tier: Tier };
  /** A limit of null withdraws the override. */
  OverrideConcurrency: { limit: number | null };
  SuspendAccount: { reason: string };
  UnsuspendAccount: unknown;
  EraseAccount: unknown;
  /** Reserves quota for a key, before the key exists. */
  AdmitApiKey: { apiKeyId: ApiKeyId; by: 'customer' | 'staff' };
  /** Transfers a rotated key's reservation to its successor. */
  ReplaceApiKey: { apiKeyId: ApiKeyId; successorId: ApiKeyId };
  /** Releases the reservation of a key that has ended. */
  DismissApiKey: { apiKeyId: ApiKeyId };
}>;

const rules: Rules<Account, AccountCommand, AccountEvent> = {
  CreateAccount(state, { type: _, acceptedRevision, ...data }) {
    if (state.status !== 'none') throw refuse('email-already-registered');
    const created: AccountEvent = { type: 'AccountCreated', data };
    if (acceptedRevision === undefined) return [created];
    const { accountId, at } = data;
    return [created, { type: 'TermsAccepted', data: { accountId, revision: acceptedRevision, at } }];
  },
  AcceptTerms(state, { revision, at }) {
    const { accountId, acceptedRevision } = present(state);
    return revision === acceptedRevision
      ? []
      : [{ type: 'TermsAccepted', data: { accountId, revision, at } }];
  },
  /** Keys and sessions beyond a smaller tier's limits stay; only new ones are refused. */
  SetTier(state, { tier: to, at }) {
    const { accountId, tier: from } = present(state);
    return from === to ? [] : [{ type: 'TierChanged', data: { accountId, from, to, at } }];
  },
  OverrideConcurrency(state, { limit, at }) {
    const { accountId, concurrencyOverride } = present(state);
    if (limit === concurrencyOverride) return [];
    return [{ type: 'ConcurrencyOverridden', data: { accountId, limit, at } }];
  },
  SuspendAccount(state, { reason, at }) {
    const { status, accountId } = present(state);
    return status === 'suspended' ? [] : [{ type: 'AccountSuspended', data: { accountId, reason, at } }];
  },
  UnsuspendAccount(state, { at }) {
    const { status, accountId } = present(state);
    return status === 'active' ? [] : [{ type: 'AccountUnsuspended', data: { accountId, at } }];
  },
  EraseAccount(state, { at }) {
    const { status, accountId } = existing(state);
    return status === 'erased' ? [] : [{ type: 'AccountErased', data: { accountId, at } }];
  },
  /** Staff may issue one key even on a tier that allows customers none. */
  AdmitApiKey(state, { apiKeyId, by, at }) {
    const { status, accountId, tier, keys } = present(state);
    if (keys[apiKeyId]) return [];
    const { apiKeys: tierCap } = tierLimits[tier];
    if (by === 'customer' && status === 'suspended') throw refuse('forbidden', 'The account is suspended.');
    if (by === 'customer' && tierCap === 0) throw refuse('forbidden', `The ${tier} tier takes no API keys.`);
    const cap = by === 'staff' ? Math.max(1, tierCap) : tierCap;
    if (keyReservations(state).length >= cap)
      throw refuse('tier-limit', `The ${tier} tier holds at most ${cap} API keys.`);
    return [{ type: 'ApiKeyAdmitted', data: { accountId, apiKeyId, at } }];
  },
  /** The quota is not checked: a rotation leaves as many reservations as before. */
  ReplaceApiKey(state, { apiKeyId, successorId, at }) {
    const { status, accountId, keys } = existing(state);
    if (keys[successorId]) return [];
    if (status === 'erased') return dismissal(state, apiKeyId, at);
    const admitted = { type: 'ApiKeyAdmitted', data: { accountId, apiKeyId: successorId, at } } as const;
    return [...dismissal(state, apiKeyId, at), admitted];
  },
  DismissApiKey: (state, { apiKeyId, at }) => dismissal(state, apiKeyId, at),
};

function existing(state: Account): ExistingAccount {
  if (state.status === 'none') throw refuse('not-found');
  return state;
}

/** To a command that would give an erased account something, there is none. */
function present(state: Account): ExistingAccount {
  const found = existing(state);
  if (found.status === 'erased') throw refuse('not-found');
  return found;
}

function dismissal(state: Account, apiKeyId: ApiKeyId, at: string): readonly AccountEvent[] {
  const { keys, accountId } = existing(state);
  return keys[apiKeyId]?.held ? [{ type: 'ApiKeyDismissed', data: { accountId, apiKeyId, at } }] : [];
}

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  category: accountEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: Account, event: AccountEvent): Account {
  if (event.type === 'AccountCreated') {
    if (state.status !== 'none') return state;
    const { accountId, sealedEmail, tier, at: createdAt } = event.data;
    return {
      ...{ status: 'active', accountId, sealedEmail, tier, createdAt },
      ...{ acceptedRevision: null, acceptedAt: null, concurrencyOverride: null, keys: {} },
    };
  }
  return state.status === 'none' || isOver(state, event) ? state : change(state, event);
}

/** After its erasure an account only gives back what it had. */
const isOver = ({ status }: ExistingAccount, { type }: AccountEvent): boolean =>
  status === 'erased' && type !== 'ApiKeyDismissed';

function change(
  state: ExistingAccount,
  { type, data }: Exclude<AccountEvent, { type: 'AccountCreated' }>,
): ExistingAccount {
  switch (type) {
    case 'TermsAccepted':
      return { ...state, acceptedRevision: data.revision, acceptedAt: data.at };
    case 'TierChanged':
      return { ...state, tier: data.to };
    case 'ConcurrencyOverridden':
      return { ...state, concurrencyOverride: data.limit };
    case 'AccountSuspended':
      return { ...state, status: 'suspended' };
    case 'AccountUnsuspended':
      return { ...state, status: 'active' };
    case 'AccountErased':
      return { ...state, status: 'erased' };
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
