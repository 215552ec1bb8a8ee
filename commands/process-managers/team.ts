import { teamMemberEvents } from '../../contracts/events/team-member.ts';
import { completeRemoval, queueInvitation, type InvitationPorts, type RemovalPorts } from '../team/index.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Mails every invitation: the inviting request does not wait for the mail, and may crash before it. */
export const teamInvitationsManager = (ports: InvitationPorts): ProcessManager =>
  reactingTo('team-invitations', teamMemberEvents, {
    TeamMemberInvited: (invited, context) => queueInvitation(ports, invited, context),
  });

/** Ends a removed member's keys and endpoints if the owner asked for that, and mails the owner. */
export const teamRemovalsManager = (ports: RemovalPorts): ProcessManager =>
  reactingTo('team-removals', teamMemberEvents, {
    TeamMemberRemoved: (removed, context) => completeRemoval(ports, removed, context),
  });
