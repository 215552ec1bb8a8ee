import type pg from 'pg';
import { profileEvents } from '../../contracts/events/profile.ts';
import type { AccountId, ProfileId } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ExistingProfile, Profile } from '../../domain/profile/state.ts';
import { readModel } from '../engine/read-model.ts';
import { stateRows } from '../engine/state-rows.ts';
import { column, jsonOf, textOf, type PastSchema } from '../engine/table.ts';

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

const columns = {
  id: textOf<ProfileId>(),
  account_id: textOf<AccountId>(),
  status: textOf<ExistingProfile['status']>(),
  /** Sealed bytes of the newest saved state. */
  storage_bytes: column.bigint,
  state: jsonOf<ExistingProfile>(),
  created_at: column.time,
};

/**
 * Replaces the table by a view for readers: a profile belongs to its current owner, and a purged one to no account. The live table is read
 * by a function, which finds it by its name: a view on the table itself would follow it when it is replaced, and keep it from being dropped.
 */
async function ownProfilesAsNow(client: pg.ClientBase, schema: PastSchema): Promise<void> {
  const shown = Object.keys(columns).map((name) =>
    name === 'account_id' ? 'live.account_id' : `past.${name}`,
  );
  await client.query(`
    alter table ${schema}.profiles rename to all_profiles;
    create function ${schema}.profiles_of_now() returns table (id text, account_id text, status text)
      language sql stable as 'select id, account_id, status from read_model.profiles';
    create view ${schema}.profiles as
      select ${shown.join(', ')}, past.commit_position, past.prepare_position
      from ${schema}.all_profiles as past join ${schema}.profiles_of_now() as live on live.id = past.id
      where live.status <> 'purged'`);
}

/** SQL: the id of the profile or snapshot that a profile was made from; null without one. */
export const madeFrom = `coalesce(state->'origin'->>'profileId', state->'origin'->>'snapshotId')`;

/** Every profile, purged ones included. */
export const profiles = readModel('profiles', {
  of: profileEvents,
  id: 'profile',
  columns,
  /** For the account's list, its trash, and the profiles made from one. */
  indexes: [
    `(account_id, created_at desc, id desc) where status = 'active'`,
    `(account_id, created_at desc, id desc) where status = 'trashed'`,
    `(account_id, (${madeFrom}), created_at desc, id desc) where status = 'active' and ${madeFrom} is not null`,
  ],
  ...stateRows(profile, ['ProfileWithdrawn'], rowOf),
  concernsOthers: true,
  completePast: ownProfilesAsNow,
});
