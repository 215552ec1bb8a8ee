import type { Logger } from 'pino';
import { dayMs } from '../../contracts/durations.ts';
import { parseProfileId, uuidOf } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import { isPresent } from '../../domain/profile/state.ts';
import type { BlobStore, StoredBlob } from '../../infra/blobs/types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Runner } from '../engine/runner.ts';

export interface BlobSweepPorts {
  readonly blobs: Pick<BlobStore, 'list' | 'delete'>;
  readonly runner: Pick<Runner, 'load'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Longer than any save, import or trim takes from its blob to its event. */
const unnamedMs = dayMs;

export interface Swept {
  readonly kept: number;
  readonly deleted: readonly StoredBlob[];
}

/**
 * Deletes blobs that no profile names and that are older than a day, left by a crash between storing the blob and its event, or
 * between the event and the deletion of the replaced blob. Objects that do not look like a profile's blob stay. A dry run only
 * reports. Ends at the next blob once the signal is aborted.
 */
export async function sweepBlobs(
  { blobs, runner, clock, logger }: BlobSweepPorts,
  { dryRun = false, signal }: { readonly dryRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Swept> {
  const before = clock.now().getTime() - unnamedMs;
  const deleted: StoredBlob[] = [];
  let kept = 0;
  for await (const blob of blobs.list()) {
    if (signal?.aborted) break;
    if (await isNeeded(runner, blob, before)) {
      kept += 1;
      continue;
    }
    if (!dryRun) await blobs.delete(blob.key);
    deleted.push(blob);
  }
  if (deleted.length > 0 && !dryRun)
    logger.info({ kept, deleted: deleted.length }, 'Blobs that belong to no profile were deleted.');
  return { kept, deleted };
}

/** `before`: milliseconds since the epoch; blobs stored later may still get their event. */
async function isNeeded(
  runner: Pick<Runner, 'load'>,
  { key, storedAt }: StoredBlob,
  before: number,
): Promise<boolean> {
  const id = parseProfileId(key.split('/', 1)[0] ?? '');
  return id === undefined || storedAt.getTime() > before || isNamed(runner, uuidOf(id), key);
}

async function isNamed(runner: Pick<Runner, 'load'>, uuid: string, key: string): Promise<boolean> {
  const { state } = await runner.load(profile, uuid);
  return isPresent(state) && state.state?.blob === key;
}
