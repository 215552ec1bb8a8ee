import { teamMemberEvents, type TeamRole } from '../../contracts/events/team-member.ts';
import { toId, uuidOf, type AccountId, type InvitationId, type MembershipId } from '../../contracts/ids.ts';
import { readModel } from '../engine/read-model.ts';
import { column, textOf } from '../engine/table.ts';

/** The latest invitation of every address ever invited; `account_id` is the owner's. */
export const teamInvitations = readModel('team_invitations', {
  of: teamMemberEvents,
  id: 'invitation',
  columns: {
    id: textOf<InvitationId>(),
    account_id: textOf<AccountId>(),
    /** Sealed with the invitation's data key and the owner's. */
    sealed_email: column.text,
    role: textOf<TeamRole>(),
    status: textOf<'open' | 'accepted' | 'withdrawn'>(),
    expires_at: column.time,
    created_at: column.time,
  },
  indexes: ["(account_id, created_at desc, id desc) where status = 'open'"],
  concernsOthers: true,
  handlers: 1,
  creates: {
    TeamMemberInvited: ({ data }) => ({
      id: toId('invitation', uuidOf(data.membershipId)),
      account_id: data.ownerAccountId,
      sealed_email: data.sealedEmail,
      role: data.role,
      status: 'open' as const,
      expires_at: data.expiresAt,
      created_at: data.at,
    }),
  },
  changes: {
    TeamInvitationWithdrawn: () => ({ status: 'withdrawn' as const }),
    TeamMemberJoined: () => ({ status: 'accepted' as const }),
  },
});

/** Memberships, ended ones included; `account_id` is the owner's. */
export const teamMembers = readModel('team_members', {
  of: teamMemberEvents,
  id: 'membership',
  columns: {
    id: textOf<MembershipId>(),
    account_id: textOf<AccountId>(),
    member_account_id: textOf<AccountId>(),
    role: textOf<TeamRole>(),
    created_at: column.time,
    removed_at: column.optionalTime,
  },
  indexes: [
    '(account_id, created_at desc, id desc) where removed_at is null',
    '(member_account_id, created_at desc, id desc) where removed_at is null',
    '(account_id, member_account_id) where removed_at is null',
  ],
  concernsOthers: true,
  handlers: 1,
  creates: {
    TeamMemberJoined: ({ data }) => ({
      id: data.membershipId,
      account_id: data.ownerAccountId,
      member_account_id: data.accountId,
      role: data.role,
      created_at: data.at,
      removed_at: null,
    }),
  },
  changes: { TeamMemberRemoved: ({ data }) => ({ removed_at: data.at }) },
});
