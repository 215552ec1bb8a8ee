import type { ProfileId } from '../../contracts/ids.ts';
import { Watched } from '../../infra/platform/watched.ts';
import type { ProfileStates, SealedState } from '../../infra/profile-states/types.ts';

/**
 * Keeps an archive. Rejects with the archive's own failure where that is the reason, and with `StateNotKept` for any other:
 * only the sender of an archive can interpret its breaking off.
 */
export async function keepArchive(
  states: Pick<ProfileStates, 'keep'>,
  profileId: ProfileId,
  generation: number,
  archive: AsyncIterable<Uint8Array>,
): Promise<SealedState> {
  const watched = new Watched(archive);
  try {
    return await states.keep(profileId, generation, watched);
  } catch (error) {
    throw watched.failure === undefined ? error : watched.failure.error;
  }
}
