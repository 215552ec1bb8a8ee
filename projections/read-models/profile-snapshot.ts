import { profileSnapshotEvents } from '../../contracts/events/profile-snapshot.ts';
import type { AccountId, ProfileId, ProfileSnapshotId } from '../../contracts/ids.ts';
import { profileSnapshot, type KeptSnapshot, type ProfileSnapshot } from '../../domain/profile-snapshot.ts';
import { readModel } from '../engine/read-model.ts';
import { stateRows } from '../engine/state-rows.ts';
import { column, jsonOf, optionalTextOf, textOf } from '../engine/table.ts';

type Existing = Exclude<ProfileSnapshot, { readonly status: 'none' | 'withdrawn' }>;

function rowOf(state: ProfileSnapshot) {
  if (state.status === 'none' || state.status === 'withdrawn')
    throw new Error('An event changes a snapshot that is not there');
  return {
    id: state.snapshotId,
    account_id: state.accountId,
    profile_id: state.profileId,
    status: state.status,
    state,
    created_at: state.capturedAt,
  };
}

/** Every snapshot of a profile, deleted ones included. */
export const profileSnapshots = readModel('profile_snapshots', {
  of: profileSnapshotEvents,
  id: 'profileSnapshot',
  columns: {
    id: textOf<ProfileSnapshotId>(),
    account_id: textOf<AccountId>(),
    /** Null once the profile is purged. */
    profile_id: optionalTextOf<ProfileId>(),
    status: textOf<KeptSnapshot['status'] | 'deleted'>(),
    state: jsonOf<Existing>(),
    created_at: column.time,
  },
  /** For the account's list, and a profile's list. */
  indexes: [
    `(account_id, created_at desc, id desc) where status = 'kept'`,
    `(profile_id, created_at desc, id desc) where status = 'kept'`,
  ],
  ...stateRows(profileSnapshot, ['SnapshotWithdrawn'], rowOf),
});
