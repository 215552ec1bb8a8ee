import { refuse } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';

/**
 * How many times its storage cap an account may have stored, with its trash, and still import: everything that it may use, and as much that
 * it has thrown away.
 */
const capsWithTrash = 2;

interface Importing {
  readonly tier: Tier;
  /** Of all states of the account's profiles, also of those in the trash. */
  readonly storedBytes: number;
  /** Of the import. */
  readonly bytes: number;
}

/**
 * Throws `storage-quota-exceeded` for an import with which the account would store more than twice its cap. The trash counts: otherwise one
 * who imports and deletes in turn could store any amount until it is purged. A soft cap refuses nothing.
 */
export function assertImportFits({ tier, storedBytes, bytes }: Importing): void {
  const { bytes: cap, soft = false } = tierLimits[tier].storage;
  const most = capsWithTrash * cap;
  if (soft || storedBytes + bytes <= most) return;
  const detail = `Imports are accepted up to ${most} stored bytes, with the trash. Purge profiles in the trash, or wait until they are purged.`;
  throw refuse('storage-quota-exceeded', detail, { used_bytes: storedBytes, cap_bytes: most, tier });
}
