import type { AccountEvent, EntitlementSource } from '../contracts/events/account.ts';
import { highestOf, tierLimits, type Tier } from '../contracts/tiers.ts';
import type { DataOf } from './kit/decider.ts';

/** A paid tier. `until` is null if no end is set, as for a card subscription. */
export interface Entitlement {
  readonly tier: Tier;
  readonly until: string | null;
}

export interface AccountEntitlements {
  /** Paid entitlements to a tier, by source; null: ended. */
  readonly entitlements: Readonly<Partial<Record<EntitlementSource, Entitlement | null>>>;
  /** The tier without payments, as staff has set it or as of the last grant. Absent: `free`. */
  readonly unpaidTier?: Tier;
  /** The number of recorded changes of the subscription that the card's tier is based on. Absent: unknown. */
  readonly cardBasedOn?: number;
}

type Tiered = AccountEntitlements & { readonly tier: Tier };

const active = ({ entitlements }: AccountEntitlements): readonly Entitlement[] =>
  Object.values(entitlements).flatMap((each) => each ?? []);

const unpaid = ({ unpaidTier = 'free' }: AccountEntitlements): Tier => unpaidTier;

/** The highest of the paid tiers and the one without payments. */
export const dueTier = (account: AccountEntitlements): Tier =>
  highestOf([unpaid(account), ...active(account).map(({ tier }) => tier)]);

/** False if staff has set another tier since: in streams of earlier releases this is the only sign of it. */
export function hasDueTier(account: Tiered): boolean {
  const { tier } = account;
  const due = dueTier(account);
  if (tier === due) return true;
  if (tier === unpaid(account)) return false;
  // Streams may have another paid tier with as many sessions as the due one.
  const isEqual = tierLimits[tier].concurrentSessions === tierLimits[due].concurrentSessions;
  return isEqual && active(account).some((each) => each.tier === tier);
}

/** The tier that the account has without payments: the one that staff has set, else `free`. */
export const tierWithoutPayments = (account: Tiered): Tier =>
  hasDueTier(account) ? unpaid(account) : account.tier;

/** The tier once all that is paid for has ended, if nothing is set or granted until then. */
export const tierOnceUnpaid = (account: Tiered): Tier =>
  active(account).length === 0 ? account.tier : unpaid(account);

/** The highest of the paid tiers; undefined if nothing is paid for. */
function highestPaid(account: AccountEntitlements): Tier | undefined {
  const paid = active(account).map(({ tier }) => tier);
  return paid.length === 0 ? undefined : highestOf(paid);
}

type Choice = Pick<DataOf<AccountEvent, 'TierChanged'>, 'byStaff' | 'unpaidTier'>;

/**
 * The fields of a change of the tier by staff: the new tier remains without payments. A change back to the highest paid tier takes such a
 * choice back instead, so that the account follows its payments.
 */
export function choice(account: AccountEntitlements, to: Tier): Choice {
  if (to !== highestPaid(account)) return { byStaff: true };
  return unpaid(account) === 'free' ? {} : { unpaidTier: 'free' };
}

export function withChoice({
  to,
  byStaff,
  unpaidTier,
}: DataOf<AccountEvent, 'TierChanged'>): Pick<AccountEntitlements, 'unpaidTier'> {
  const remaining = byStaff ? to : unpaidTier;
  return remaining === undefined ? {} : { unpaidTier: remaining };
}

/** The ends of the entitlements to a tier by orders. */
export const endsOf = (account: AccountEntitlements, tier: Tier): readonly string[] =>
  active(account).flatMap((each) => (each.tier === tier && each.until ? [each.until] : []));

/** The field of events about the card's tier. */
export interface BasedOn {
  readonly basedOn?: number;
}

export const withBasis = ({ basedOn }: BasedOn): Pick<AccountEntitlements, 'cardBasedOn'> =>
  basedOn === undefined ? {} : { cardBasedOn: basedOn };

/** True if the account already follows a later change of the subscription. */
export const isOvertaken = ({ cardBasedOn = 0 }: AccountEntitlements, basedOn: number): boolean =>
  basedOn < cardBasedOn;

export const withEntitlement = (
  { entitlements }: AccountEntitlements,
  source: EntitlementSource,
  entitlement: Entitlement | null,
): Pick<AccountEntitlements, 'entitlements'> => ({
  entitlements: { ...entitlements, [source]: entitlement },
});
