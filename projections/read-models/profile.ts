import { profileEvents } from '../../contracts/events/profile.ts';
import type { AccountId, ProfileId } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ExistingProfile, Profile } from '../../domain/profile/state.ts';
import { readModel } from '../engine/read-model.ts';
import { stateRows } from '../engine/state-rows.ts';
import { column, jsonOf, textOf } from '../engine/table.ts';

function rowOf(state: Profile) {
  if (state.status === 'none' || state.status === 'withdrawn')
    throw new Error('An event changes a profile that is not there');
  return {
    id: state.profileId,
    account_id: state.accountId,
    status: state.status,
    storage_bytes: String(state.status === 'purged' ? 0 : (state.state?.bytes ?? 0)),
    state,
    created_at: state.createdAt,
  };
}

/** Every profile, purged ones included. */
export const profiles = readModel('profiles', {
  of: profileEvents,
  id: 'profile',
  columns: {
    id: textOf<ProfileId>(),
    account_id: textOf<AccountId>(),
    status: textOf<ExistingProfile['status']>(),
    /** Sealed bytes of the newest saved state. */
    storage_bytes: column.bigint,
    state: jsonOf<ExistingProfile>(),
    created_at: column.time,
  },
  /** For the account's list, and its trash. */
  indexes: [
    `(account_id, created_at desc, id desc) where status = 'active'`,
    `(account_id, created_at desc, id desc) where status = 'trashed'`,
  ],
  ...stateRows(profile, ['ProfileWithdrawn'], rowOf),
});
