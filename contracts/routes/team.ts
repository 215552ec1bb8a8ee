import type { Route } from '../route.ts';
import * as team from '../resources/team.ts';
import { Type, oneOf } from '../schema.ts';
import { area, created, idParam, noContent } from './rows.ts';

/** Routes of the caller's own account: its team, and its memberships. */
const { write, list, detail } = area({
  tag: 'Team',
  reads: ['read'],
  writes: ['account_owner'],
  accountHeader: 'ignored',
});

export const teamRoutes = [
  write('POST /v1/team/invites', 'team-invites.create', {
    summary: "Invite an address to the caller's team; the link in the mail works for seven days",
    body: team.CreateInvitation,
    success: created(team.Invitation, 'The invitation. Its mail is being sent.'),
    problems: ['conflict', 'tier-limit'],
  }),
  list('/v1/team/invites', 'team-invites.list', team.Invitation, {
    summary: 'List the open invitations, newest first',
    answer: 'A page of invitations.',
  }),
  write('DELETE /v1/team/invites/{id}', 'team-invites.withdraw', {
    summary: 'Withdraw an open invitation: its link stops working',
    params: idParam('`inv_<uuid>`'),
    success: noContent('The invitation is withdrawn.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/team/invites/accept', 'team-invites.accept', {
    summary: "Join a team with an invitation's token; only the account of the invited address can",
    body: team.AcceptInvitation,
    success: created(team.Membership, 'The membership.'),
    problems: ['invalid-auth-token', 'conflict'],
  }),
  list('/v1/team/members', 'team-members.list', team.TeamMember, {
    summary: "List the members of the caller's team, newest first",
    answer: 'A page of members.',
  }),
  ...detail('/v1/team/members/{id}', 'team-members', team.TeamMember, 'member', {
    params: idParam('`mem_<uuid>`'),
  }),
  list('/v1/team/owners', 'team-owners.list', team.TeamOwner, {
    summary: 'List the owners whose teams the caller is on, newest membership first',
    answer: 'A page of owners.',
  }),
  write('DELETE /v1/team/members/{id}', 'team-members.remove', {
    stepUp: true,
    summary: "Remove a member, who is refused on the owner's account from then on",
    params: idParam('`mem_<uuid>`'),
    query: {
      keys: Type.Optional(
        oneOf(['revoke'], {
          description: 'Also end the keys and endpoints that the member made on the account.',
        }),
      ),
    },
    success: noContent('The member is removed.'),
    problems: ['not-found', 'conflict'],
  }),
] as const satisfies readonly Route[];
