import { teamMemberEvents } from '../../contracts/events/team-member.ts';
import type { CommandPorts } from '../engine/runner.ts';
import {
  completeRemoval,
  endIfErased,
  queueInvitation,
  type InvitationPorts,
  type RemovalPorts,
} from '../team/index.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Has every invitation mailed: whoever invites answers without waiting for it, and may be killed right after. */
export const teamInvitationsManager = (ports: InvitationPorts): ProcessManager =>
  reactingTo('team-invitations', teamMemberEvents, {
    TeamMemberInvited: (invited, context) => queueInvitation(ports, invited, context),
  });

/** Ends what a removed member had made, if the owner asked for that, and tells the owner of it. */
export const teamRemovalsManager = (ports: RemovalPorts): ProcessManager =>
  reactingTo('team-removals', teamMemberEvents, {
    TeamMemberRemoved: (removed, context) => completeRemoval(ports, removed, context),
  });

/** Removes whoever joined while an erasure of one of the two accounts was being carried out. */
export const teamErasuresManager = (ports: CommandPorts): ProcessManager =>
  reactingTo('team-erasures', teamMemberEvents, {
    TeamMemberJoined: (joined, context) => endIfErased(ports, joined, context),
  });
