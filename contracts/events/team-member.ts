import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema, toId, uuidOf } from '../ids.ts';
import { quotaEvents } from '../record.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

/** What a member may do on the owner's account: read some of it, or everything but what only the owner may. */
export const teamRoles = ['member', 'admin'] as const;
export type TeamRole = (typeof teamRoles)[number];

const role = oneOf(teamRoles);
const seat = {
  membershipId: idSchema('membership'),
  /** The account that the team works on. */
  ownerAccountId: idSchema('account'),
  at: Timestamp,
};
const accountId = idSchema('account');
/** Keys and endpoints of the owner's account. */
const made = closed({
  apiKeys: Type.Array(idSchema('apiKey')),
  webhooks: Type.Array(idSchema('webhook')),
});
export type Made = Static<typeof made>;

const entryOnInvitation = entryOn('team_invitation');
const entryOnMembership = entryOn('team_membership');
const invitationOf = (membershipId: string) => toId('invitation', uuidOf(membershipId));

/** The field under which the owner's data key seals an invited address. */
export const invitedEmail = 'invited email';

/**
 * `team_member-<uuid>`: one address on one owner's team, from its invitation to its removal, and again when it is invited
 * anew. The uuid derives from the two: invitations of one address meet here, and a member is found without a list of members,
 * however many there are. It is the uuid of the invitation and of the membership too.
 */
export const teamMemberEvents = category(
  'team_member',
  {
    /** Takes the place of an invitation that has expired. */
    TeamMemberInvited: closed({
      ...seat,
      /** With the owner's data key. */
      sealedEmail: Type.String(),
      role,
      /** Distinguishes the token in the mail from earlier ones. The token derives from it, under the pepper. */
      tokenId: Type.String({ format: 'uuid' }),
      expiresAt: Timestamp,
    }),
    TeamInvitationWithdrawn: closed(seat),
    /** Its share of the quota is another's: it had expired or ended, or never came, and one that is being sent is refused. */
    TeamInvitationLapsed: closed(seat),
    /** The invitation's token was used. */
    TeamMemberJoined: closed({ ...seat, accountId, role }),
    TeamMemberRemoved: closed({
      ...seat,
      accountId,
      /** What the member had made and what existed when the removal was decided; null if it was not looked up. */
      made: nullable(made),
      /** Whether that, and what was being made meanwhile, ends with the membership. */
      revokes: Type.Boolean(),
    }),
  },
  {
    versions: { TeamMemberRemoved: 2 },
    audit: {
      TeamMemberInvited: ({ membershipId, role: invitedAs, expiresAt }) =>
        entryOnInvitation('team.invited', invitationOf(membershipId), {
          role: invitedAs,
          expires_at: expiresAt,
        }),
      TeamInvitationWithdrawn: ({ membershipId }) =>
        entryOnInvitation('team.invitation_withdrawn', invitationOf(membershipId)),
      TeamMemberJoined: ({ membershipId, accountId: member, role: joinedAs }) =>
        entryOnMembership('team.member_joined', membershipId, {
          member_account_id: member,
          role: joinedAs,
        }),
      TeamMemberRemoved: ({ membershipId, accountId: member, made: found, revokes }) =>
        entryOnMembership('team.member_removed', membershipId, {
          member_account_id: member,
          ...(found !== null && { api_keys: found.apiKeys, webhooks: found.webhooks, revoked: revokes }),
        }),
    },
  },
);
export type TeamMemberEvent = EventOf<typeof teamMemberEvents>;

/** `account_invitations-<account uuid>`: how many invitations an account has open. */
export const accountInvitationsEvents = quotaEvents('account_invitations', 'Invitation', 'invitation');
