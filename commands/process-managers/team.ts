import { teamMemberEvents } from '../../contracts/events/team-member.ts';
import {
  completeRemoval,
  forgetEarlier,
  queueInvitation,
  type ForgettingPorts,
  type InvitationPorts,
  type RemovalPorts,
} from '../team/index.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Mails every invitation: the inviting request does not wait for the mail, and may crash before it. */
export const teamInvitationsManager = (ports: InvitationPorts): ProcessManager =>
  reactingTo('team-invitations', teamMemberEvents, {
    TeamMemberInvited: (invited, context) => queueInvitation(ports, invited, context),
  });

/** Erases the address of an invitation once that has ended. */
export const endedInvitationsManager = (ports: ForgettingPorts): ProcessManager => ({
  name: 'ended-invitations',
  types: ['TeamMemberInvited', 'TeamMemberJoined', 'TeamInvitationWithdrawn', 'TeamInvitationLapsed'],
  handle: (event) => forgetEarlier(ports, event),
});

/** Ends a removed member's keys and endpoints if the owner asked for that, and mails the owner. */
export const teamRemovalsManager = (ports: RemovalPorts): ProcessManager =>
  reactingTo('team-removals', teamMemberEvents, {
    TeamMemberRemoved: (removed, context) => completeRemoval(ports, removed, context),
  });
