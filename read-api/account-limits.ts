import type { Bucket } from '../contracts/rate-buckets.ts';
import { bucketSizes, buckets } from '../contracts/rate-buckets.ts';
import {
  laterQuotaNames,
  quotaLimits,
  quotaNames,
  type AccountLimits,
  type LimitFacts,
  type QuotaName,
} from '../contracts/resources/account-limits.ts';
import type { RateVerdict } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { accountQuotas, type LimitRow } from '../projections/queries/settings.ts';
import type { Reader } from './engine/credentials.ts';
import type { Read, ReadCall } from './engine/reading.ts';

export interface LimitReadOptions {
  readonly clock: Clock;
  readonly webhooksPerAccount: number;
  /** The level of each bucket of the caller; consumes no tokens. */
  readonly rateLevels: (caller: Reader) => Promise<Readonly<Record<Bucket, RateVerdict>>>;
}

/** The limit of each quota of an account; those of `tier` while it has no row. */
export const limitsOf = (
  row: LimitRow | undefined,
  { tier, webhooksPerAccount }: Pick<LimitFacts, 'tier' | 'webhooksPerAccount'>,
): Readonly<Record<QuotaName, number>> =>
  quotaLimits({
    tier: row?.tier ?? tier,
    webhooksPerAccount,
    concurrencyOverride: row?.concurrency_override ?? null,
    profileCapOverride: row?.profile_cap_override ?? null,
  });

/** Remaining rate tokens and quotas of an account. */
export const limitReads = (read: Read, { clock, webhooksPerAccount, rateLevels }: LimitReadOptions) => ({
  'account.rate-limits': {
    run: async (call: ReadCall) => {
      const { accountId } = call.caller;
      const now = clock.now().toISOString();
      const { rows, freshness } = await read(call, accountQuotas, { accountId, now });
      const [used] = rows;
      // The caller's tier may come from a credential that was cached before the tier changed.
      const tier = used?.tier ?? call.caller.tier;
      const levels = await rateLevels({ ...call.caller, tier });
      const limits = limitsOf(used, { tier, webhooksPerAccount });
      const quota = <Name extends QuotaName>(name: Name) => ({
        name,
        limit: limits[name],
        used: used?.[name] ?? 0,
      });
      const body: AccountLimits = {
        tier,
        buckets: buckets.map((name) => ({
          name,
          capacity: bucketSizes[tier][name].burst,
          refill_per_minute: bucketSizes[tier][name].perMinute,
          remaining: levels[name].remaining,
          reset_seconds: levels[name].resetSeconds,
        })),
        quotas: quotaNames.map(quota),
        more_quotas: laterQuotaNames.map(quota),
      };
      return { body, ...freshness };
    },
  },
});
