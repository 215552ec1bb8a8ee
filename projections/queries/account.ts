import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { Membership } from '../../contracts/resources/team.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { ReadRowOf } from '../engine/table.ts';
import type { accounts } from '../read-models/account.ts';
import { freshStatement } from './fresh-statement.ts';
import { afterCursor, type ListParameters } from './lists.ts';
import { db, rowsOf, type Queryable, type Tables } from './tables.ts';

type AccountRow = Tables['read_model.accounts'];

type OwnAccountRow = Pick<
  AccountRow,
  'id' | 'sealed_email' | 'tier' | 'suspended_at' | 'suspended_reason' | 'created_at'
> & {
  readonly teams: readonly Membership[];
  /** When the second factor was enrolled; null without one. */
  readonly enrolled_at: string | null;
};

/** An account with its newest memberships, as both APIs show it; the parameters are those of the list of memberships. */
export const ownAccount = freshStatement<ListParameters, OwnAccountRow>('own-account', (parameter) =>
  db
    .selectFrom('read_model.accounts as account')
    .leftJoin('read_model.second_factors as factor', 'factor.id', 'account.id')
    .select(['account.id', 'account.sealed_email', 'account.tier', 'account.created_at'])
    .select(['account.suspended_at', 'account.suspended_reason'])
    .select('factor.enrolled_at')
    .select(
      sql<readonly Membership[]>`(
        select coalesce(json_agg(json_build_object(
          'owner_account_id', account_id, 'role', role, 'membership_id', id
        ) order by created_at desc, id desc), '[]')
        from (
          select * from read_model.team_members
          where member_account_id = ${parameter('accountId')} and removed_at is null and ${afterCursor(parameter)}
          order by created_at desc, id desc limit ${parameter('limit')}
        ) as newest)`.as('teams'),
    )
    .where('account.id', '=', parameter('accountId')),
);

/** Statement that waits for freshness before an export, which then reads the account's audit log page by page. */
export const auditedAccount = freshStatement<{ readonly accountId: AccountId }, Pick<AccountRow, 'id'>>(
  'export-account',
  (parameter) => db.selectFrom('read_model.accounts').select('id').where('id', '=', parameter('accountId')),
  { alsoReads: ['audit_log'] },
);

type Stored = ReadRowOf<(typeof accounts)['table']['columns']>;
type Listed = Pick<Stored, 'id' | 'tier' | 'suspended_at' | 'erased_at' | 'created_at'> & {
  readonly live_sessions: number;
};

const liveSessions = `(select count(*)::integer from read_model.sessions as session
  where session.account_id = account.id and session.status in ('creating', 'ready', 'busy')) as live_sessions`;

export interface AccountFilter {
  readonly tier?: Tier;
  /** Suspended accounts; erased ones are left out. */
  readonly suspended?: true;
  readonly limit: number;
}

/** Newest first, for an operator. */
export const listAccounts = (pool: Queryable, { tier, suspended, limit }: AccountFilter): Promise<Listed[]> =>
  rowsOf(
    pool,
    `select id, tier, suspended_at, erased_at, created_at, ${liveSessions} from read_model.accounts as account
     where ($1::text is null or tier = $1) and ($2 or (suspended_at is not null and erased_at is null))
     order by created_at desc, id desc limit $3`,
    [tier ?? null, suspended !== true, limit],
  );

interface Detail extends Stored {
  readonly live_sessions: number;
  readonly api_keys: number;
  readonly webhooks: number;
  readonly proxies: number;
}

/** An account with its numbers of resources, for an operator. */
export async function accountDetail(pool: Queryable, id: AccountId): Promise<Detail | undefined> {
  const [row] = await rowsOf<Detail>(
    pool,
    `select id, sealed_email, tier, concurrency_override, profile_cap_override, suspended_at, suspended_reason, erased_at,
       created_at, updated_at, ${liveSessions},
       (select count(*)::integer from read_model.api_keys as key where key.account_id = account.id
         and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())) as api_keys,
       (select count(*)::integer from read_model.webhooks as hook where hook.account_id = account.id
         and hook.deleted_at is null) as webhooks,
       (select count(*)::integer from read_model.proxies as proxy where proxy.account_id = account.id
         and proxy.status = 'live') as proxies
     from read_model.accounts as account where id = $1`,
    [id],
  );
  return row;
}
