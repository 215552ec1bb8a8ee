import { teamMemberEvents, type TeamMemberEvent } from '../../contracts/events/team-member.ts';
import { queueInvitation, type InvitationPorts } from '../team/index.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

/** Has every invitation mailed: whoever invites answers without waiting for it, and may be killed right after. */
export const teamInvitationsManager = (ports: InvitationPorts): ProcessManager =>
  processManager({
    name: 'team-invitations',
    category: teamMemberEvents,
    react: (event: TeamMemberEvent) => (event.type === 'TeamMemberInvited' ? [event.data] : []),
    perform: (invited, context) => queueInvitation(ports, invited, context),
  });
