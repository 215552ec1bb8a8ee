import { teamMemberEvents, type TeamMemberEvent } from '../../contracts/events/team-member.ts';
import { endIfErased, queueInvitation, type InvitationPorts } from '../team/index.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Has every invitation mailed: whoever invites answers without waiting for it, and may be killed right after. */
export const teamInvitationsManager = (ports: InvitationPorts): ProcessManager =>
  processManager({
    name: 'team-invitations',
    category: teamMemberEvents,
    react: (event: TeamMemberEvent) => (event.type === 'TeamMemberInvited' ? [event.data] : []),
    perform: (invited, context) => queueInvitation(ports, invited, context),
  });

/** Removes whoever joined while an erasure of one of the two accounts was being carried out. */
export const teamErasuresManager = (ports: CommandPorts): ProcessManager =>
  processManager({
    name: 'team-erasures',
    category: teamMemberEvents,
    react: (event: TeamMemberEvent) => (event.type === 'TeamMemberJoined' ? [event.data] : []),
    perform: (joined, context) => endIfErased(ports, joined, context),
  });
