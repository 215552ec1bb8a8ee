import { toId, uuidOf } from '../../contracts/ids.ts';
import { invitationQuota, isOpen, teamMember } from '../../domain/team-member.ts';
import { now } from '../engine/context.ts';
import { quotaStreamOf, type AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';

/**
 * Open invitations' shares of the account's quota. An address can be invited repeatedly, so a share is released only after its
 * invitation has ended on the seat's own stream.
 */
export const invitationReservations = ({ runner, clock }: CommandPorts): AccountQuota => ({
  clock,
  quota: quotaStreamOf(runner, invitationQuota),
  async resourceOf(id) {
    const { state } = await runner.load(teamMember, uuidOf(id));
    return isOpen(state, now({ clock })) ? { kind: 'present', name: null } : { kind: 'not created' };
  },
  withdraw: (id, ownerAccountId, step) => {
    const membershipId = toId('membership', uuidOf(id));
    const command = { type: 'LapseInvitation', membershipId, ownerAccountId, at: now({ clock }) } as const;
    return runner.run(teamMember, uuidOf(id), command, step);
  },
  end: (id, erasedAccountId, step) => {
    const command = { type: 'EndForErasure', erasedAccountId, at: now({ clock }) } as const;
    return runner.run(teamMember, uuidOf(id), command, step);
  },
});
