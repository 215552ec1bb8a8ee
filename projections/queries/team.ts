import { sql } from 'kysely';
import type { TeamRole } from '../../contracts/events/team-member.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { freshStatement, type Parameters } from './fresh-statement.ts';
import { listOf, ownById, type ListParameters } from './lists.ts';
import { ofErased } from './of-erased.ts';
import { db, rowsOf, type Queryable, type Tables } from './tables.ts';

type MemberRow = Tables['read_model.team_members'];
/** The sealed address of the account on the other side. */
export type SealedMemberRow = MemberRow & { readonly sealed_email: string };

interface OpenInvitations extends ListParameters {
  /** Invitations that have expired at this time are not open. */
  readonly now: string;
}

/** A page of an owner's open invitations. */
export const openInvitations = listOf('list-team-invitations', (parameter: Parameters<OpenInvitations>) =>
  db
    .selectFrom('read_model.team_invitations')
    .selectAll()
    .where('account_id', '=', parameter('accountId'))
    .where('status', '=', 'open')
    .where('expires_at', '>', parameter('now')),
);

/** Memberships with the sealed address of the account on one side. */
const withAddressOf = (side: 'account_id' | 'member_account_id') =>
  db
    .selectFrom('read_model.team_members')
    .selectAll()
    .select(
      sql<string>`(select sealed_email from read_model.accounts where id = ${sql.ref(side)})`.as(
        'sealed_email',
      ),
    );

/** A page of the memberships with the account on one side, and the address of the other. */
const memberships = (name: string, own: 'account_id' | 'member_account_id') => {
  const rows = withAddressOf(own === 'account_id' ? 'member_account_id' : 'account_id');
  return listOf(name, (parameter: Parameters<ListParameters>) =>
    rows.where(own, '=', parameter('accountId')).where('removed_at', 'is', null),
  );
};

/** The members of the account's own team. */
export const teamMemberships = memberships('list-team-members', 'account_id');

/** Statement for one membership, ended ones included. */
export const teamMembershipById = ownById('get-team-member', withAddressOf('member_account_id'));

/** The account's memberships on other teams. */
export const ownMemberships = memberships('list-team-owners', 'member_account_id');

type TeamRow = Pick<MemberRow, 'id' | 'role'> & Pick<Tables['read_model.accounts'], 'tier' | 'suspended_at'>;

/** An account's membership on the owner's team, with the facts for acting on the owner's account. */
export const membershipOn = freshStatement<
  { readonly accountId: AccountId; readonly memberId: AccountId },
  TeamRow
>('membership', (parameter) =>
  db
    .selectFrom('read_model.team_members as member')
    .innerJoin('read_model.accounts as account', 'account.id', 'member.account_id')
    .where('member.account_id', '=', parameter('accountId'))
    .where('member.member_account_id', '=', parameter('memberId'))
    .where('member.removed_at', 'is', null)
    .where('account.erased_at', 'is', null)
    .select(['member.id', 'member.role', 'account.tier', 'account.suspended_at']),
);

/** A member, or an address with an open invitation. */
interface Listed {
  /** `mem_…` or `inv_…`. */
  readonly id: string;
  readonly status: 'member' | 'invited';
  /** The member's account. */
  readonly account_id: AccountId | null;
  readonly role: TeamRole;
  /** Since the joining, or the invitation. */
  readonly since: Date;
  readonly expires_at: Date | null;
}

/** Members and open invitations of an owner's team at a time, without addresses. */
export const listTeam = (pool: Queryable, owner: AccountId, now: Date): Promise<Listed[]> =>
  rowsOf(
    pool,
    `select id, 'member' as status, member_account_id as account_id, role, created_at as since, null as expires_at
     from read_model.team_members where account_id = $1 and removed_at is null
     union all
     select id, 'invited', null, role, created_at, expires_at
     from read_model.team_invitations where account_id = $1 and status = 'open' and expires_at > $2
     order by status desc, since, id`,
    [owner, now],
  );

/** A member of a team, or an invited address, by the uuid of its stream. */
interface SeatRow {
  readonly uuid: string;
  readonly owner: AccountId;
}

/**
 * The memberships of an erased account on either side, and its invitations. Undefined while the read models do not include its
 * erasure: memberships created right before it may be missing.
 */
export const seatsOfErased = (
  pool: Queryable,
  accountId: AccountId,
): Promise<readonly SeatRow[] | undefined> =>
  ofErased(pool, accountId, {
    models: ['team_members', 'team_invitations'],
    statement: `
      select account_id as owner, right(id, 36) as uuid from read_model.team_members
        where (account_id = $1 or member_account_id = $1) and removed_at is null
      union all
      select account_id, right(id, 36) from read_model.team_invitations
        where account_id = $1 and status = 'open'`,
  });
