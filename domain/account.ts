import { dayMs } from '../contracts/durations.ts';
import { accountEvents, type AccountEvent, type EntitlementSource } from '../contracts/events/account.ts';
import type { ApiKeyId, OrderId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { tierLimits, type Tier } from '../contracts/tiers.ts';
import {
  choice,
  dueTier,
  endsOf,
  hasDueTier,
  isOvertaken,
  tierOnceUnpaid,
  tierWithoutPayments,
  withBasis,
  withChoice,
  withEntitlement,
  type AccountEntitlements,
  type BasedOn,
  type Entitlement,
} from './account-entitlements.ts';
import { hasReserved, withHeld, withReleased, type AccountKeys } from './account-keys.ts';
import { changesOverride } from './account-overrides.ts';
import {
  byType,
  decideBy,
  type ByType,
  type CommandsOf,
  type DataOf,
  type Decider,
  type Rules,
} from './kit/decider.ts';
import { after } from './kit/time.ts';

type Created = DataOf<AccountEvent, 'AccountCreated'>;

export interface ExistingAccount
  extends Readonly<Omit<Created, 'at' | 'sealedPasswordHash'>>, AccountKeys, AccountEntitlements {
  /** An erased account keeps only its id. */
  readonly status: 'active' | 'suspended' | 'erased';
  /** The last accepted revision of the terms. */
  readonly acceptedRevision: string | null;
  readonly acceptedAt: string | null;
  /** Concurrent sessions, and profiles, granted beyond the tier's. */
  readonly concurrencyOverride: number | null;
  readonly profileCapOverride: number | null;
  readonly createdAt: string;
}

/** An account: its tier, whether it is suspended, which terms were accepted, and which API keys count towards the tier's quota of keys. */
export type Account = { readonly status: 'none' } | ExistingAccount;

export type AccountCommand = CommandsOf<{
  /**
   * `acceptedRevision`: the revision of the terms accepted at sign-up. A second creation is refused as if the address
   * were taken.
   */
  CreateAccount: Created & { acceptedRevision?: string };
  AcceptTerms: { revision: string };
  /** Remains when payments end; going back from another tier to the highest that is paid for takes that back. */
  SetTier: { tier: Tier };
  /**
   * The card subscription gives a tier for as long as it lasts; another tier replaces the previous one. `basedOn`: the
   * number of the subscription's recorded changes. Does nothing if the account already follows a later change.
   */
  EntitleByCard: { tier: Tier; basedOn: number };
  /** A paid order gives a tier for some days, from now or from the end of earlier orders for the same tier. Counted once per order. */
  EntitleByOrder: { orderId: OrderId; tier: Tier; days: number };
  /** `basedOn`: the same. */
  EndCardEntitlement: { basedOn: number };
  /** Does nothing before the entitlement's end. */
  EndOrderEntitlement: { orderId: OrderId };
  /** A limit of null withdraws the override. One below the tier’s is refused, because it would have no effect. */
  OverrideConcurrency: { limit: number | null };
  OverrideProfileCap: { limit: number | null };
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
  SetTier(state, { tier, at }) {
    const found = present(state);
    const { accountId, tier: from } = found;
    if (from !== tier)
      return [{ type: 'TierChanged', data: { accountId, from, to: tier, ...choice(found, tier), at } }];
    return tierOnceUnpaid(found) === tier ? [] : [{ type: 'TierConfirmed', data: { accountId, tier, at } }];
  },
  EntitleByCard(state, { tier, basedOn, at }) {
    const found = present(state);
    const isKnown = found.entitlements.card?.tier === tier || isOvertaken(found, basedOn);
    return isKnown ? [] : granted(found, 'card', { tier, until: null, basedOn }, at);
  },
  EntitleByOrder(state, { orderId, tier, days, at }) {
    const found = present(state);
    if (found.entitlements[orderId] !== undefined) return [];
    const from = [at, ...endsOf(found, tier)].reduce((a, b) => (a > b ? a : b));
    const until = after(from, days * dayMs);
    return granted(found, orderId, { tier, until }, at);
  },
  EndCardEntitlement(state, { basedOn, at }) {
    const found = existing(state);
    return isOvertaken(found, basedOn) ? [] : ended(found, 'card', { basedOn, at });
  },
  EndOrderEntitlement(state, { orderId, at }) {
    const found = existing(state);
    const until = found.entitlements[orderId]?.until ?? at;
    return until > at ? [] : ended(found, orderId, { at });
  },
  OverrideConcurrency(state, { limit, at }) {
    const found = present(state);
    if (!changesOverride(found, 'concurrencyOverride', limit)) return [];
    return [{ type: 'ConcurrencyOverridden', data: { accountId: found.accountId, limit, at } }];
  },
  OverrideProfileCap(state, { limit, at }) {
    const found = present(state);
    if (!changesOverride(found, 'profileCapOverride', limit)) return [];
    return [{ type: 'ProfileCapOverridden', data: { accountId: found.accountId, limit, at } }];
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
    const found = present(state);
    if (hasReserved(found, apiKeyId)) return [];
    const { status, accountId, tier } = found;
    const { apiKeys: tierCap } = tierLimits[tier];
    if (by === 'customer' && status === 'suspended') throw refuse('forbidden', 'The account is suspended.');
    if (by === 'customer' && tierCap === 0) throw refuse('forbidden', `The ${tier} tier has no API keys.`);
    const cap = by === 'staff' ? Math.max(1, tierCap) : tierCap;
    if (keyReservations(state).length >= cap)
      throw refuse('tier-limit', `The ${tier} tier holds at most ${cap} API keys.`);
    return [{ type: 'ApiKeyAdmitted', data: { accountId, apiKeyId, at } }];
  },
  /**
   * Does not check the quota: a rotation keeps the number of reservations. On an erased account the old key keeps its
   * reservation, by which the erasure finds both keys.
   */
  ReplaceApiKey(state, { apiKeyId, successorId, at }) {
    const found = existing(state);
    if (found.status === 'erased' || hasReserved(found, successorId)) return [];
    const { accountId } = found;
    const admitted = { type: 'ApiKeyAdmitted', data: { accountId, apiKeyId: successorId, at } } as const;
    return [...dismissal(found, apiKeyId, at), admitted];
  },
  DismissApiKey: (state, { apiKeyId, at }) => dismissal(existing(state), apiKeyId, at),
};

function existing(state: Account): ExistingAccount {
  if (state.status === 'none') throw refuse('not-found');
  return state;
}

/** Refuses commands that would give an erased account something, with `not-found`. */
function present(state: Account): ExistingAccount {
  const found = existing(state);
  if (found.status === 'erased') throw refuse('not-found');
  return found;
}

/** Never lowers a tier that staff has set: it remains beneath the paid ones. */
function granted(
  found: ExistingAccount,
  source: EntitlementSource,
  { tier, until, ...basis }: Entitlement & BasedOn,
  at: string,
): readonly AccountEvent[] {
  const unpaidTier = tierWithoutPayments(found);
  const data = { accountId: found.accountId, source, tier, until, ...basis, at };
  const grant: AccountEvent = {
    type: 'EntitlementGranted',
    data: unpaidTier === 'free' ? data : { ...data, unpaidTier },
  };
  const due = dueTier({ ...withEntitlement(found, source, { tier, until }), unpaidTier });
  return [grant, ...tierOnceChanged(found, due, at)];
}

/**
 * Ends an entitlement. A tier set by staff since stays. On an erased account only an order's days end, which ends their
 * timer, and its tier stays.
 */
function ended(
  found: ExistingAccount,
  source: EntitlementSource,
  { at, ...basis }: BasedOn & { readonly at: string },
): readonly AccountEvent[] {
  const { accountId, status, entitlements } = found;
  const entitlement = entitlements[source];
  if (!entitlement || (status === 'erased' && entitlement.until === null)) return [];
  const end: AccountEvent = { type: 'EntitlementEnded', data: { accountId, source, ...basis, at } };
  if (status === 'erased') return [end];
  const left = dueTier({ ...found, ...withEntitlement(found, source, null) });
  return [end, ...(hasDueTier(found) ? tierOnceChanged(found, left, at) : [])];
}

function tierOnceChanged(found: ExistingAccount, to: Tier, at: string): readonly AccountEvent[] {
  const { accountId, tier: from } = found;
  return from === to ? [] : [{ type: 'TierChanged', data: { accountId, from, to, at } }];
}

function dismissal(found: ExistingAccount, apiKeyId: ApiKeyId, at: string): readonly AccountEvent[] {
  const { keys, accountId } = found;
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
      ...{ acceptedRevision: null, acceptedAt: null, concurrencyOverride: null, profileCapOverride: null },
      ...{ keys: {}, entitlements: {} },
    };
  }
  return state.status === 'none' || isOver(state, event) ? state : (byType(fold, event, state) ?? state);
}

/** An erased account accepts only releases, and ends of what it had paid for. */
const isOver = ({ status }: ExistingAccount, { type }: AccountEvent): boolean =>
  status === 'erased' && type !== 'ApiKeyDismissed' && type !== 'EntitlementEnded';

type Change = Exclude<AccountEvent, { type: 'AccountCreated' }>;

const fold: ByType<Change, ExistingAccount, [state: ExistingAccount]> = {
  TermsAccepted: ({ revision, at }, state) => ({ ...state, acceptedRevision: revision, acceptedAt: at }),
  TierChanged: (data, state) => ({ ...state, tier: data.to, ...withChoice(data) }),
  TierConfirmed: ({ tier }, state) => ({ ...state, unpaidTier: tier }),
  EntitlementGranted: (data, state) => withGrant(state, data),
  EntitlementEnded: (data, state) => ({
    ...state,
    ...withEntitlement(state, data.source, null),
    ...withBasis(data),
  }),
  ConcurrencyOverridden: ({ limit }, state) => ({ ...state, concurrencyOverride: limit }),
  ProfileCapOverridden: ({ limit }, state) => ({ ...state, profileCapOverride: limit }),
  AccountSuspended: (_data, state) => ({ ...state, status: 'suspended' }),
  AccountUnsuspended: (_data, state) => ({ ...state, status: 'active' }),
  AccountErased: (_data, state) => ({ ...state, status: 'erased' }),
  ApiKeyAdmitted: ({ apiKeyId, at }, state) => ({ ...state, ...withHeld(state, apiKeyId, at) }),
  ApiKeyDismissed: ({ apiKeyId }, state) => ({ ...state, ...withReleased(state, apiKeyId) }),
};

function withGrant(
  { unpaidTier: _, ...state }: ExistingAccount,
  { source, tier, until, unpaidTier, ...data }: DataOf<AccountEvent, 'EntitlementGranted'>,
): ExistingAccount {
  return {
    ...{ ...state, ...withEntitlement(state, source, { tier, until }), ...withBasis(data) },
    ...(unpaidTier !== undefined && { unpaidTier }),
  };
}

/** The keys that count towards the quota, each with the time of its reservation. */
export const keyReservations = (
  state: Account,
): readonly { readonly id: ApiKeyId; readonly since: string }[] =>
  Object.entries(state.status === 'none' ? {} : state.keys).flatMap(([id, reservation]) =>
    reservation?.held ? [{ id: id as ApiKeyId, since: reservation.since }] : [],
  );
