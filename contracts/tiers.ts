/** The contract's tiers and their limits (the numbers of keys and the burst figures are not in the contract). */
export const tiers = [
  'free',
  'personal',
  'team',
  'agency',
  'api_starter',
  'api_builder',
  'api_scale',
  'enterprise',
] as const;

export type Tier = (typeof tiers)[number];

export const isTier = (name: unknown): name is Tier => tiers.some((tier) => tier === name);

interface TierLimits {
  readonly concurrentSessions: number;
  /** 0: the tier has no customer keys. */
  readonly apiKeys: number;
  /** Sessions expire after the configured free-tier limit. */
  readonly sessionsExpire: boolean;
  /** True if agent sessions may use modes in which a model or the grammar acts. */
  readonly agents: boolean;
  /** Profiles in the trash do not count. */
  readonly profiles: number;
  readonly storage: StorageLimit;
  /** Open invitations to the team; also the maximum sent per hour. */
  readonly openInvitations: number;
}

/** Maximum sealed bytes of all the account's saved states, above which no profile is launched. */
interface StorageLimit {
  readonly bytes: number;
  /** Above a soft cap a launch gets a warning instead of a refusal. */
  readonly soft?: true;
}

const mebibytes = (count: number): number => count * 1024 * 1024;
const gibibytes = (count: number): number => mebibytes(count * 1024);

const limits = (
  concurrentSessions: number,
  apiKeys: number,
  profiles: number,
  bytes: number,
  openInvitations: number,
) => ({
  ...{ concurrentSessions, apiKeys, profiles, storage: { bytes }, openInvitations },
  ...{ sessionsExpire: false, agents: true },
});

/** By tier: concurrent sessions, API keys, profiles, bytes of saved states, open invitations, and exceptions. */
export const tierLimits: Record<Tier, TierLimits> = {
  free: { ...limits(1, 0, 1, mebibytes(256), 3), sessionsExpire: true, agents: false },
  personal: { ...limits(1, 5, 10, gibibytes(2), 5), agents: false },
  team: limits(3, 20, 50, gibibytes(20), 20),
  agency: limits(8, 50, 200, gibibytes(80), 50),
  api_starter: limits(2, 5, 25, gibibytes(5), 10),
  api_builder: limits(8, 20, 100, gibibytes(20), 20),
  api_scale: limits(24, 100, 500, gibibytes(100), 50),
  enterprise: { ...limits(32, 500, 5000, 0, 200), storage: { bytes: gibibytes(500), soft: true } },
};

/** The highest of several tiers: by concurrent sessions, and among equals by their other limits. `free` for an empty list. */
export const highestOf = (given: readonly Tier[]): Tier =>
  given.reduce<Tier>((best, each) => (isHigher(each, best) ? each : best), 'free');

/** Decided by the first limit in which the two tiers differ. */
function isHigher(tier: Tier, other: Tier): boolean {
  const [ours, theirs] = [sizesOf(tier), sizesOf(other)];
  const differences = ours.map((size, index) => size - (theirs[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

function sizesOf(tier: Tier): readonly number[] {
  const { concurrentSessions, profiles, storage, apiKeys, openInvitations } = tierLimits[tier];
  return [concurrentSessions, profiles, storage.bytes, apiKeys, openInvitations];
}

/** An account's tier, and the limits that staff has raised for the account; null: that of the tier. */
export interface RaisedLimits {
  readonly tier: Tier;
  readonly concurrencyOverride: number | null;
  readonly profileCapOverride: number | null;
}

/** The tier's concurrent sessions, or the account's override if that is higher. */
export const concurrentSessions = ({
  tier,
  concurrencyOverride,
}: Pick<RaisedLimits, 'tier' | 'concurrencyOverride'>): number =>
  Math.max(tierLimits[tier].concurrentSessions, concurrencyOverride ?? 0);

/** The maximum of the account's profiles: the tier's, or the account's override if that is higher. */
export const profileCap = ({
  tier,
  profileCapOverride,
}: Pick<RaisedLimits, 'tier' | 'profileCapOverride'>): number =>
  Math.max(tierLimits[tier].profiles, profileCapOverride ?? 0);
