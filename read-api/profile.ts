import { parseProfileId, type ProfileId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { presentProfile, presentSnapshot, presentTrashed } from '../contracts/resources/profile.ts';
import { handlerWithExists, type Call } from '../infra/http/index.ts';
import {
  listMadeFrom,
  listProfiles,
  listSnapshots,
  listSnapshotsOf,
  listTrash,
  oneProfile,
} from '../projections/queries/profile.ts';
import { rowById } from '../projections/queries/detail.ts';
import { profileSnapshots } from '../projections/read-models/profile-snapshot.ts';
import { profiles } from '../projections/read-models/profile.ts';
import type { Reader } from './engine/credentials.ts';
import type { Details } from './engine/details.ts';
import { createdKeyset, newestAfter, type Pages } from './engine/paging.ts';
import { idOf, listBelow, type Read } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';

type SnapshotsRoute = 'profile-snapshots.list-of-profile';

/** The profiles and snapshots of an account. */
export const profileReads = (read: Read, { list, page }: Pages, details: Details) => ({
  'profiles.list': profileList({ list, page }),
  'profiles.trash': list('profiles.trash', listTrash, ({ state }) => presentTrashed(state)),
  ...details('profiles', oneOfProfiles(read)),
  ...details('profile-snapshots', oneSnapshot(read)),
  'profile-snapshots.list': list('profile-snapshots.list', listSnapshots, ({ state }) =>
    presentSnapshot(state),
  ),
  'profile-snapshots.list-of-profile': handlerWithExists<SnapshotsRoute, Reader, ProfileId>({
    exists: listBelow(read, profileIdOf, oneProfile),
    run: (call) => {
      const { found: profileId } = call;
      return page(call, {
        list: `profile-snapshots.list-of-profile ${profileId}`,
        statement: listSnapshotsOf,
        after: (keyset, account) => ({ ...newestAfter(keyset, account), profileId }),
        keysetOf: createdKeyset,
        show: ({ state }) => presentSnapshot(state),
      });
    },
  }),
});

function profileList({ list, page }: Pages) {
  const all = list('profiles.list', listProfiles, ({ state }) => presentProfile(state));
  return {
    run: (call: Call<'profiles.list', Reader, never>) => {
      const { made_from: madeFrom } = call.query;
      if (madeFrom === undefined) return all.run(call);
      return page(call, {
        list: `profiles.list ${madeFrom}`,
        statement: listMadeFrom,
        after: (keyset, account) => ({ ...newestAfter(keyset, account), madeFrom }),
        keysetOf: createdKeyset,
        show: ({ state }) => presentProfile(state),
      });
    },
  };
}

const oneOfProfiles = (read: Read) =>
  ownResource(read, {
    model: profiles,
    idOf: profileIdOf,
    statement: rowById(profiles),
    isPurged: ({ state }) => state.status === 'purged',
    show: ({ state }) => (state.status === 'active' ? presentProfile(state) : undefined),
  });

const oneSnapshot = (read: Read) =>
  ownResource(read, {
    model: profileSnapshots,
    idOf: (text) => idOf('profileSnapshot', text),
    statement: rowById(profileSnapshots),
    show: ({ state }) => (state.status === 'kept' ? presentSnapshot(state) : undefined),
  });

/** Parses a profile's id in a path. An invalid one is refused like an unknown one. */
function profileIdOf(text: string): ProfileId {
  const id = parseProfileId(text);
  if (id === undefined) throw refuse('not-found');
  return id;
}
