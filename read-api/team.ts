import type { AccountId } from '../contracts/ids.ts';
import type { Invitation, TeamMember, TeamOwner } from '../contracts/resources/team.ts';
import type { Call } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Vault } from '../infra/vault/index.ts';
import {
  openInvitations,
  ownMemberships,
  teamMembershipById,
  teamMemberships,
  type SealedMemberRow,
} from '../projections/queries/team.ts';
import { teamMembers } from '../projections/read-models/team.ts';
import type { Reader } from './engine/credentials.ts';
import type { Details } from './engine/details.ts';
import { createdKeyset, newestAfter, type Pages } from './engine/paging.ts';
import { idOf, type Read } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';
import { openedEmail, openedInvitee } from './engine/sealed.ts';

/** The lists of an account's team, and of the teams it is on. Addresses are opened as they are shown. */
export const teamReads = (
  read: Read,
  pages: Pages,
  details: Details,
  vault: Pick<Vault, 'open'>,
  clock: Clock,
) => {
  /** Sealed with the data key of the account that has the address. */
  const emailOf = (accountId: AccountId, { sealed_email: sealed }: SealedMemberRow) =>
    openedEmail(vault, accountId, 'email', sealed);
  const show = async (row: SealedMemberRow): Promise<TeamMember> => ({
    membership_id: row.id,
    account_id: row.member_account_id,
    email: await emailOf(row.member_account_id, row),
    role: row.role,
    joined_at: row.created_at,
  });
  return {
    'team-invites.list': openInvitationList(pages, vault, clock),
    'team-members.list': pages.list('team-members.list', teamMemberships, show),
    ...details(
      'team-members',
      ownResource(read, {
        model: teamMembers,
        idOf: (text) => idOf('membership', text),
        statement: teamMembershipById,
        show: (row) => (row.removed_at === null ? show(row) : undefined),
      }),
    ),
    'team-owners.list': pages.list('team-owners.list', ownMemberships, async (row): Promise<TeamOwner> => ({
      owner_account_id: row.account_id,
      email: await emailOf(row.account_id, row),
      role: row.role,
      membership_id: row.id,
    })),
  };
};

const openInvitationList = ({ page }: Pages, vault: Pick<Vault, 'open'>, clock: Clock) => ({
  run: (call: Call<'team-invites.list', Reader, never>) =>
    page(call, {
      list: 'team-invites.list',
      statement: openInvitations,
      after: (keyset, account) => ({ ...newestAfter(keyset, account), now: clock.now().toISOString() }),
      keysetOf: createdKeyset,
      show: async ({ id, account_id, sealed_email, role, expires_at, created_at }): Promise<Invitation> => ({
        ...{ id, email: await openedInvitee(vault, account_id, sealed_email) },
        ...{ role, expires_at, created_at },
      }),
    }),
});
