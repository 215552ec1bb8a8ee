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
}

export const tierLimits: Record<Tier, TierLimits> = {
  free: { concurrentSessions: 1, apiKeys: 0, sessionsExpire: true },
  personal: { concurrentSessions: 1, apiKeys: 5, sessionsExpire: false },
  team: { concurrentSessions: 3, apiKeys: 20, sessionsExpire: false },
  agency: { concurrentSessions: 8, apiKeys: 50, sessionsExpire: false },
  api_starter: { concurrentSessions: 2, apiKeys: 5, sessionsExpire: false },
  api_builder: { concurrentSessions: 8, apiKeys: 20, sessionsExpire: false },
  api_scale: { concurrentSessions: 24, apiKeys: 100, sessionsExpire: false },
  enterprise: { concurrentSessions: 32, apiKeys: 500, sessionsExpire: false },
};
