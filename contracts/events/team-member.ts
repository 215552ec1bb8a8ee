import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema, toId, uuidOf } from '../ids.ts';
import { quotaEvents } from '../record.ts';
import { category, entryOn, timersOn, type EventOf } from './catalogue.ts';

/** A member's rights on the owner's account: to read parts of it, or everything except what is reserved for the owner. */
export const teamRoles = ['member', 'admin'] as const;
export type TeamRole = (typeof teamRoles)[number];

const role = oneOf(teamRoles);
const seat = {
  membershipId: idSchema('membership'),
  /** The owner's account. */
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

const timer = timersOn('membershipId');
const entryOnInvitation = entryOn('team_invitation');
const entryOnMembership = entryOn('team_membership');
const invitationOf = (membershipId: string) => toId('invitation', uuidOf(membershipId));

/** The sealed field of an invited address, under the invitation's data key and the owner's. */
export const invitedEmail = 'invited email';

/**
 * `team_member-<uuid>`: one address on one owner's team, from its invitation to its removal, and after further invitations. The
 * uuid derives from the two, so that invitations of one address share a stream, and a member is found without a list of members.
 * It is also the uuid of the invitation and of the membership.
 */
export const teamMemberEvents = category(
  'team_member',
  {
    /** Replaces an expired invitation. */
    TeamMemberInvited: closed({
      ...seat,
      /**
       * Sealed with the owner's data key; inside of that, with the invitation's own, which `tokenId` owns and which is destroyed
       * when the invitation ends. Those of earlier releases are sealed with the owner's only.
       */
      sealedEmail: Type.String(),
      role,
      /** Distinguishes the mailed token from earlier ones. The token derives from it, with the pepper. */
      tokenId: Type.String({ format: 'uuid' }),
      expiresAt: Timestamp,
    }),
    TeamInvitationWithdrawn: closed(seat),
    /**
     * The invitation has expired; or its share of the quota was released, because it had expired or ended, or was never created.
     * A creation that began before is refused.
     */
    TeamInvitationLapsed: closed(seat),
    /** The invitation's token was used. */
    TeamMemberJoined: closed({ ...seat, accountId, role }),
    TeamMemberRemoved: closed({
      ...seat,
      accountId,
      /** The member's keys (the first thousand) and endpoints at the removal; null if they were not looked up. */
      made: nullable(made),
      /** Whether these, and ones created meanwhile, end with the membership. */
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
    timers: {
      TeamMemberInvited: timer.starts('invitation_end', 'expiresAt'),
      TeamInvitationWithdrawn: timer.ends('invitation_end'),
      TeamInvitationLapsed: timer.ends('invitation_end'),
      TeamMemberJoined: timer.ends('invitation_end'),
    },
  },
);
export type TeamMemberEvent = EventOf<typeof teamMemberEvents>;

/** `account_invitations-<account uuid>`: the number of an account's open invitations. */
export const accountInvitationsEvents = quotaEvents('account_invitations', 'Invitation', 'invitation');
