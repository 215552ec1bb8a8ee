import type { ProfileId } from '../../contracts/ids.ts';
import { TrackedSource } from '../../infra/platform/tracked-source.ts';
import type { ProfileStates, SealedState } from '../../infra/profile-states/types.ts';

/**
 * Stores an archive. Rejects with the archive's own error if that is the cause, else with `StateNotKept`: only the sender of an
 * archive can interpret its errors.
 */
export async function keepArchive(
  states: Pick<ProfileStates, 'keep'>,
  profileId: ProfileId,
  generation: number,
  archive: AsyncIterable<Uint8Array>,
): Promise<SealedState> {
  const watched = new TrackedSource(archive);
  try {
    return await states.keep(profileId, generation, watched);
  } catch (error) {
    throw watched.failure === undefined ? error : watched.failure.error;
  }
}
