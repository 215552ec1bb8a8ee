import { refuse } from '../contracts/problems.ts';
import { tierLimits, type RaisedLimits } from '../contracts/tiers.ts';

/** By override: the limit of the tier that it raises, and the limited resources. */
const overrides = {
  concurrencyOverride: { ofTier: 'concurrentSessions', resources: 'concurrent sessions' },
  profileCapOverride: { ofTier: 'profiles', resources: 'profiles' },
} as const;

/**
 * True if the account has another override than `limit`; null: none. Refuses one below the tier's limit, which would have no
 * effect, with `bad-request`.
 */
export function changesOverride(
  account: RaisedLimits,
  override: keyof typeof overrides,
  limit: number | null,
): boolean {
  if (limit === account[override]) return false;
  const { ofTier, resources } = overrides[override];
  const included = tierLimits[account.tier][ofTier];
  if (limit !== null && limit < included)
    throw refuse(
      'bad-request',
      `The ${account.tier} tier includes ${included} ${resources}, and an override only raises them.`,
    );
  return true;
}
