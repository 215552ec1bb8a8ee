import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { profileEvents } from '../../contracts/events/profile.ts';
import { profileSnapshotEvents } from '../../contracts/events/profile-snapshot.ts';
import { teamMemberEvents } from '../../contracts/events/team-member.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { accountQuotas } from '../account/quotas.ts';
import { closeErased } from '../agent-session/erasure.ts';
import { endReservedResources, type AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { purgeErased } from '../profile/purge.ts';
import { endSeat, isErased } from '../team/erasure.ts';
import { processManager, reactingTo, type ProcessManager } from './engine/process-manager.ts';

/**
 * Ends what an account starts during its own erasure: admitted while the account existed, and recorded after the erasure looked
 * for resources to end. The erasure itself finds everything recorded earlier.
 */
export const lateErasureManagers = (ports: CommandPorts): readonly ProcessManager[] => [
  ...Object.values(accountQuotas(ports)).flatMap((quota) => ofQuota(ports, quota)),
  // A transfer reserves before the account owns the profile, and withdrawing the reservation does not withdraw the profile.
  reactingTo('profile-erasures', profileEvents, {
    ProfileTransferred: ({ profileId, accountId }, context) =>
      ifErased(ports, accountId, () => purgeErased(ports, accountId, profileId, context)),
  }),
  reactingTo('snapshot-erasures', profileSnapshotEvents, {
    SnapshotCaptured: ({ snapshotId, accountId }, context) =>
      ifErased(ports, accountId, () => purgeErased(ports, accountId, snapshotId, context)),
  }),
  reactingTo('team-erasures', teamMemberEvents, {
    TeamMemberJoined: async ({ membershipId, ownerAccountId: owner, accountId }, context) => {
      const seat = { uuid: uuidOf(membershipId), owner };
      for (const side of [owner, accountId])
        await ifErased(ports, side, () => endSeat(ports, seat, side, context));
    },
  }),
  reactingTo('agent-session-erasures', agentSessionEvents, {
    AgentSessionCreated: ({ agentSessionId, accountId }, context) =>
      ifErased(ports, accountId, () => closeErased(ports, accountId, agentSessionId, context)),
  }),
];

/**
 * For every noun with a quota, reacts to its reservations. A quota on the account's own stream needs none: that stream refuses.
 */
function ofQuota(ports: CommandPorts, quota: AccountQuota): readonly ProcessManager[] {
  const { category, changeOf } = quota.quota;
  if (changeOf === undefined) return [];
  const reservation = processManager<DomainEvent, AccountId>({
    name: `${category.name}-erasures`,
    category,
    react: (event) => {
      const { type, data } = changeOf(event);
      return type === 'Reserved' ? [data.accountId] : [];
    },
    perform: (accountId, context) =>
      ifErased(ports, accountId, () => endReservedResources(quota, accountId, context)),
  });
  return [reservation];
}

async function ifErased(ports: CommandPorts, accountId: AccountId, end: () => Promise<unknown>) {
  if (await isErased(ports, accountId)) await end();
}
