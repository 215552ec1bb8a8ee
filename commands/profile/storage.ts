import { storageWarning } from '../../contracts/operations.ts';
import { refuse } from '../../contracts/problems.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { profile } from '../../domain/profile/profile.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { isPresent } from '../../domain/profile/state.ts';
import type { Caller } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { LoadOptions, Runner } from '../engine/runner.ts';

type Loading = Pick<Runner, 'load'>;

/** Concurrency of reads of streams. */
const atOnce = 32;

/** Sealed bytes of the account's saved states, without profiles in the trash. */
async function storedBytes(runner: Loading, accountId: AccountId, options: LoadOptions): Promise<number> {
  const { state } = await runner.load(accountProfiles, uuidOf(accountId));
  const sizes = await inBatches(state.reservations, atOnce, async ({ id }) => {
    const { state: saved } = await runner.load(profile, uuidOf(id), options);
    return isPresent(saved) && saved.accountId === accountId ? (saved.state?.bytes ?? 0) : 0;
  });
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Warnings of a launch. Throws `storage-quota-exceeded` above the tier's cap, and warns above the soft one. Cached states suffice
 * to admit; a refusal reads the streams again, because another process may have trimmed.
 */
export async function storageWarnings(
  runner: Loading,
  { accountId, tier }: Pick<Caller, 'accountId' | 'tier'>,
): Promise<readonly string[]> {
  const { bytes: cap, soft = false } = tierLimits[tier].storage;
  if ((await storedBytes(runner, accountId, { cached: true })) <= cap) return [];
  const used = await storedBytes(runner, accountId, {});
  if (used <= cap) return [];
  if (soft) return [storageWarning];
  const detail = 'The saved profiles of the account use more storage than its tier allows.';
  throw refuse('storage-quota-exceeded', detail, { used_bytes: used, cap_bytes: cap, tier });
}
