import { refuse } from '../contracts/problems.ts';
import { tierLimits, type RaisedLimits } from '../contracts/tiers.ts';

/**
 * By override: the limit of the tier that it raises, the limited resources, and how many it allows at most. The profiles of an account are one
 * stream, which each write side folds in a time that grows with the square of their number: some two seconds for 10,000.
 */
const overrides = {
  concurrencyOverride: { ofTier: 'concurrentSessions', resources: 'concurrent sessions', most: Infinity },
  profileCapOverride: { ofTier: 'profiles', resources: 'profiles', most: 10_000 },
} as const;

/**
 * True if the account has another override than `limit`; null: none. Refuses one below the tier's limit, which would have no
 * effect, and one above the most, with `bad-request`.
 */
export function changesOverride(
  account: RaisedLimits,
  override: keyof typeof overrides,
  limit: number | null,
): boolean {
  if (limit === account[override]) return false;
  const { ofTier, resources, most } = overrides[override];
  const included = tierLimits[account.tier][ofTier];
  if (limit !== null && limit < included)
    throw refuse(
      'bad-request',
      `The ${account.tier} tier includes ${included} ${resources}, and an override only raises them.`,
    );
  if (limit !== null && limit > most)
    throw refuse('bad-request', `An account has at most ${most} ${resources}.`);
  return true;
}
