import { parseProfileId, type ProfileId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { presentProfile, presentSnapshot, presentTrashed } from '../contracts/resources/profile.ts';
import type { Call } from '../infra/http/index.ts';
import {
  listProfiles,
  listSnapshots,
  listSnapshotsOf,
  listTrash,
  oneProfile,
} from '../projections/queries/profile.ts';
import type { Reader } from './engine/credentials.ts';
import { createdKeyset, newestAfter, type Pages } from './engine/paging.ts';
import { readOne, type Read, type ReadCall } from './engine/reading.ts';

type OfProfile = ReadCall & { readonly params: { readonly id: string } };
type SnapshotsCall = Call<'profile-snapshots.list-of-profile', Reader, never>;

/** The profiles and snapshots of an account. */
export const profileReads = (read: Read, { list, page }: Pages) => ({
  'profiles.list': list('profiles.list', listProfiles, ({ state }) => presentProfile(state)),
  'profiles.trash': list('profiles.trash', listTrash, ({ state }) => presentTrashed(state)),
  'profiles.get': {
    run: (call: OfProfile) => {
      const id = profileIdOf(call.params.id);
      const { accountId } = call.caller;
      return readOne(read, call, oneProfile, { accountId, id }, ({ state }) => presentProfile(state));
    },
  },
  'profile-snapshots.list': list('profile-snapshots.list', listSnapshots, ({ state }) =>
    presentSnapshot(state),
  ),
  'profile-snapshots.list-of-profile': {
    run: (call: SnapshotsCall) => {
      const profileId = profileIdOf(call.params.id);
      return page(call, {
        list: `profile-snapshots.list-of-profile ${profileId}`,
        statement: listSnapshotsOf,
        after: (keyset, account) => ({ ...newestAfter(keyset, account), profileId }),
        keysetOf: createdKeyset,
        show: ({ state }) => presentSnapshot(state),
        assertExists: async () => {
          const { accountId } = call.caller;
          await readOne(read, call, oneProfile, { accountId, id: profileId }, () => undefined);
        },
      });
    },
  },
});

/** The id in a path. Text that is no id of a profile is as unknown as one that was never given out. */
function profileIdOf(text: string): ProfileId {
  const id = parseProfileId(text);
  if (id === undefined) throw refuse('not-found');
  return id;
}
