import { invitedEmail } from '../contracts/events/team-member.ts';
import type { AccountId } from '../contracts/ids.ts';
import type { Invitation, TeamMember, TeamOwner } from '../contracts/resources/team.ts';
import type { Call } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Vault } from '../infra/vault/index.ts';
import {
  openInvitations,
  ownMemberships,
  teamMemberships,
  type SealedMemberRow,
} from '../projections/queries/team.ts';
import type { Reader } from './engine/credentials.ts';
import { createdKeyset, newestAfter, type Pages } from './engine/paging.ts';
import { openedEmail } from './engine/sealed.ts';

/** The lists of an account's team, and of the teams it is on. Addresses are opened as they are shown. */
export const teamReads = (pages: Pages, vault: Pick<Vault, 'open'>, clock: Clock) => {
  /** Sealed with the data key of the account that has the address. */
  const emailOf = (accountId: AccountId, { sealed_email: sealed }: SealedMemberRow) =>
    openedEmail(vault, accountId, 'email', sealed);
  return {
    'team-invites.list': openInvitationList(pages, vault, clock),
    'team-members.list': pages.list(
      'team-members.list',
      teamMemberships,
      async (row): Promise<TeamMember> => ({
        membership_id: row.id,
        account_id: row.member_account_id,
        email: await emailOf(row.member_account_id, row),
        role: row.role,
        joined_at: row.created_at,
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
        ...{ id, email: await openedEmail(vault, account_id, invitedEmail, sealed_email) },
        ...{ role, expires_at, created_at },
      }),
    }),
});
