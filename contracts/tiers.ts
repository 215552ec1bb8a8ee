/** The contract's tiers and what each may have (Limits; keys per account and burst figures are ours). */
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

interface TierLimits {
  readonly concurrentSessions: number;
  /** 0: the tier takes no customer keys at all. */
  readonly apiKeys: number;
  /** Sessions end on their own after the configured free-tier limit. */
  readonly sessionsExpire: boolean;
  /** Whether it may have the modes of agent sessions in which a model or the grammar acts. */
  readonly agents: boolean;
  /** Those in the trash do not count. */
  readonly profiles: number;
  readonly storage: StorageLimit;
}

/** Sealed bytes of all the account's saved states, above which no profile is launched. */
interface StorageLimit {
  readonly bytes: number;
  /** Beyond a soft one a launch is warned and not refused. */
  readonly soft?: true;
}

const mebibytes = (count: number): number => count * 1024 * 1024;
const gibibytes = (count: number): number => mebibytes(count * 1024);

export const tierLimits: Record<Tier, TierLimits> = {
  free: {
    concurrentSessions: 1,
    apiKeys: 0,
    sessionsExpire: true,
    agents: false,
    profiles: 1,
    storage: { bytes: mebibytes(256) },
  },
  personal: {
    concurrentSessions: 1,
    apiKeys: 5,
    sessionsExpire: false,
    agents: false,
    profiles: 10,
    storage: { bytes: gibibytes(2) },
  },
  team: {
    concurrentSessions: 3,
    apiKeys: 20,
    sessionsExpire: false,
    agents: true,
    profiles: 50,
    storage: { bytes: gibibytes(20) },
  },
  agency: {
    concurrentSessions: 8,
    apiKeys: 50,
    sessionsExpire: false,
    agents: true,
    profiles: 200,
    storage: { bytes: gibibytes(80) },
  },
  api_starter: {
    concurrentSessions: 2,
    apiKeys: 5,
    sessionsExpire: false,
    agents: true,
    profiles: 25,
    storage: { bytes: gibibytes(5) },
  },
  api_builder: {
    concurrentSessions: 8,
    apiKeys: 20,
    sessionsExpire: false,
    agents: true,
    profiles: 100,
    storage: { bytes: gibibytes(20) },
  },
  api_scale: {
    concurrentSessions: 24,
    apiKeys: 100,
    sessionsExpire: false,
    agents: true,
    profiles: 500,
    storage: { bytes: gibibytes(100) },
  },
  enterprise: {
    concurrentSessions: 32,
    apiKeys: 500,
    sessionsExpire: false,
    agents: true,
    profiles: 5000,
    storage: { bytes: gibibytes(500), soft: true },
  },
};

/** Of tiers that are given at once, the one that gives most: more concurrent sessions, or as many and named later. `free` of none. */
export const highestOf = (given: readonly Tier[]): Tier =>
  tiers.reduce<Tier>(
    (best, each) => (given.includes(each) && gives(each) >= gives(best) ? each : best),
    'free',
  );

const gives = (tier: Tier): number => tierLimits[tier].concurrentSessions;
