import { sql } from 'kysely';
import type { AccountId, NodeId, ProfileId, SessionId } from '../../contracts/ids.ts';
import type {
  ActiveProfile,
  ExistingProfile,
  SaveFailure,
  TrashedProfile,
} from '../../domain/profile/state.ts';
import type { KeptSnapshot } from '../../domain/profile-snapshot.ts';
import { madeFrom, profiles } from '../read-models/profile.ts';
import type { Parameters } from './fresh-statement.ts';
import { listOf, ownById, ownList, type ListParameters } from './lists.ts';
import { newest } from './newest.ts';
import { ofErased } from './of-erased.ts';
import { db, rowsOf, type Queryable } from './tables.ts';

const profilesThat = <State>(status: 'active' | 'trashed') =>
  db
    .selectFrom('read_model.profiles')
    .select(['id', 'created_at', sql<State>`state`.as('state')])
    // Literal, for the partial index on these rows.
    .where(sql<boolean>`status = ${sql.lit(status)}`);

/** The account's active profiles; its trash; one active profile. */
export const listProfiles = ownList('list-profiles', profilesThat<ActiveProfile>('active'));
export const listTrash = ownList('list-profile-trash', profilesThat<TrashedProfile>('trashed'));
export const oneProfile = ownById('get-profile', profilesThat<ActiveProfile>('active'));

export interface ProfilesMadeFrom extends ListParameters {
  /** The id of a profile or a snapshot. */
  readonly madeFrom: string;
}

/** The account's active profiles that were cloned from this profile, or restored from this snapshot. */
export const listMadeFrom = listOf('list-profiles-made-from', (parameter: Parameters<ProfilesMadeFrom>) =>
  profilesThat<ActiveProfile>('active')
    .where(sql<boolean>`account_id = ${parameter('accountId')}`)
    .where(sql<boolean>`${sql.raw(madeFrom)} = ${parameter('madeFrom')}`),
);

const kept = db
  .selectFrom('read_model.profile_snapshots')
  .select(['id', 'created_at', sql<KeptSnapshot>`state`.as('state')])
  .where(sql<boolean>`status = 'kept'`);

/** The account's snapshots. */
export const listSnapshots = ownList('list-profile-snapshots', kept);

export interface SnapshotsOfProfile extends ListParameters {
  readonly profileId: ProfileId;
}

/** The account's snapshots of one of its active profiles. */
export const listSnapshotsOf = listOf(
  'list-snapshots-of-profile',
  (parameter: Parameters<SnapshotsOfProfile>) =>
    kept
      .where(sql<boolean>`profile_id = ${parameter('profileId')}`)
      .where(sql<boolean>`account_id = ${parameter('accountId')}`)
      .where(
        sql<boolean>`exists (
          select from read_model.profiles as parent
          where parent.id = ${parameter('profileId')} and parent.account_id = ${parameter('accountId')}
            and parent.status = 'active'
        )`,
      ),
);

/** Sealed bytes of all states of the account's profiles, also of those in the trash. Each status has its own index. */
export async function storedBytesOf(pool: Queryable, accountId: AccountId): Promise<number> {
  const statement = `
    select coalesce(sum(storage_bytes), 0)::double precision as bytes from (
      select storage_bytes from read_model.profiles where account_id = $1 and status = 'active'
      union all
      select storage_bytes from read_model.profiles where account_id = $1 and status = 'trashed'
    ) as stored`;
  const [row] = await rowsOf<{ readonly bytes: number }>(pool, statement, [accountId]);
  return row?.bytes ?? 0;
}

/** Remaining profiles and snapshots of an erased account, each `prof_…` or `psnap_…`. */
export async function profilesOfErased(
  pool: Queryable,
  accountId: AccountId,
): Promise<readonly string[] | undefined> {
  const rows = await ofErased<{ readonly id: string }>(pool, accountId, {
    models: ['profiles', 'profile_snapshots'],
    statement: `
      select id from read_model.profiles where account_id = $1 and status in ('active', 'trashed')
      union all
      select id from read_model.profile_snapshots where account_id = $1 and status = 'kept'`,
  });
  return rows?.map(({ id }) => id);
}

export interface ProfileFilter {
  readonly account?: AccountId;
  readonly status?: ExistingProfile['status'];
  readonly limit: number;
}

/** Newest first, for an operator. */
export async function profilesFor(
  pool: Queryable,
  { account, status, limit }: ProfileFilter,
): Promise<readonly ExistingProfile[]> {
  const where = { account_id: account, status };
  const rows = await newest(pool, profiles, { columns: ['state'], where, limit });
  return rows.map(({ state }) => state);
}

interface Saving {
  readonly profile_id: ProfileId;
  readonly account_id: AccountId;
  readonly session_id: SessionId;
  readonly node_id: NodeId | null;
  readonly lease_expires_at: string;
}

/** Running saves, by end of lease, with the sending nodes. */
export const savesUnderWay = (pool: Queryable, limit: number): Promise<readonly Saving[]> =>
  rowsOf(
    pool,
    `select profile.id as profile_id, profile.account_id, session.node_id,
       profile.state->'use'->>'sessionId' as session_id,
       profile.state->'use'->>'leaseExpiresAt' as lease_expires_at
     from read_model.profiles as profile
     left join read_model.sessions as session on session.id = profile.state->'use'->>'sessionId'
     where profile.state->'use'->>'kind' = 'saving'
     order by lease_expires_at, profile_id limit $1`,
    [limit],
  );

interface FailedSave {
  readonly profile_id: ProfileId;
  readonly account_id: AccountId;
  readonly reason: SaveFailure['reason'];
  readonly detail: string;
  /** When the profile was last launched. */
  readonly last_used_at: string;
}

/** Profiles whose last save failed, last launched first. */
export const savesFailed = (pool: Queryable, limit: number): Promise<readonly FailedSave[]> =>
  rowsOf(
    pool,
    `select id as profile_id, account_id, state->'saveFailure'->>'reason' as reason,
       state->'saveFailure'->>'detail' as detail, state->>'lastUsedAt' as last_used_at
     from read_model.profiles
     where status <> 'purged' and state->'saveFailure'->>'reason' is not null
     order by last_used_at desc, profile_id limit $1`,
    [limit],
  );
