import { buckets } from '../rate-buckets.ts';
import { recordContracts, type RecordName } from '../records.ts';
import { Count, Type, closed, oneOf, type Static } from '../schema.ts';
import { concurrentSessions, profileCap, tierLimits, tiers, type RaisedLimits } from '../tiers.ts';

/** The limited resources of an account. `quotas` has a fixed set of names; later ones are in `more_quotas`. */
export const quotaNames = ['sessions', 'api_keys', 'webhooks', 'proxies', 'profiles'] as const;
export const laterQuotaNames: readonly QuotaName[] = [
  ...recordContracts.map(({ name }) => name).filter((name) => !quotaNames.some((each) => each === name)),
  'invitations',
];
export type QuotaName = (typeof quotaNames)[number] | RecordName | 'invitations';

/** The facts that determine an account's limits. */
export interface LimitFacts extends RaisedLimits {
  /** Setting of the deployment. */
  readonly webhooksPerAccount: number;
}

const recordLimits = Object.fromEntries(recordContracts.map(({ name, limit }) => [name, limit])) as Record<
  RecordName,
  number
>;

/** The limit of each quota of an account. */
export function quotaLimits(facts: LimitFacts): Readonly<Record<QuotaName, number>> {
  const { apiKeys, openInvitations } = tierLimits[facts.tier];
  return {
    sessions: concurrentSessions(facts),
    api_keys: apiKeys,
    webhooks: facts.webhooksPerAccount,
    profiles: profileCap(facts),
    invitations: openInvitations,
    ...recordLimits,
  };
}

export const AccountLimits = closed({
  tier: oneOf(tiers),
  buckets: Type.Array(
    closed({
      name: oneOf(buckets),
      capacity: Count,
      refill_per_minute: Count,
      remaining: Count,
      reset_seconds: Type.Integer({ minimum: 0, description: 'Seconds until the bucket is full again.' }),
    }),
  ),
  quotas: Type.Array(closed({ name: oneOf(quotaNames), limit: Count, used: Count })),
  more_quotas: Type.Array(
    closed({
      name: Type.String({ description: 'Ignore names that you do not know: more may be added.' }),
      limit: Count,
      used: Count,
    }),
  ),
});
export type AccountLimits = Static<typeof AccountLimits>;
