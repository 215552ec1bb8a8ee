import { uuidOf, type AccountId, type AgentSessionId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { emailReservation } from '../../domain/email.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { closeErased } from '../agent-session/erasure.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import { endReservedResources } from '../engine/reservations.ts';
import { purgeErased } from '../profile/purge.ts';
import { ownAddress } from './email.ts';
import { accountQuotas } from './quotas.ts';
import { endSeat, type TeamSeat } from '../team/erasure.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface ErasurePorts extends CommandPorts {
  readonly vault: Pick<Vault, 'open' | 'forget'>;
  readonly emailUuid: (email: string) => string;
  /** All memberships and invitations of the account at the time of its erasure. Rejects until the read models have caught up. */
  readonly seatsOf: (accountId: AccountId) => Promise<readonly TeamSeat[]>;
  /** The ids of all the account's profiles and snapshots then, trash included. Rejects as `seatsOf` does. */
  readonly profilesOf: (accountId: AccountId) => Promise<readonly string[]>;
  /** The ids of its agent sessions that were open then. Rejects as `seatsOf` does. */
  readonly agentSessionsOf: (accountId: AccountId) => Promise<readonly AgentSessionId[]>;
}

/** Permanent erasure of accounts. */
export const createErasure = (ports: ErasurePorts) => ({
  /** The event is recorded first; after a crash, the reaction to it completes the erasure. */
  async erase(accountId: AccountId, context: CommandContext) {
    const command = { type: 'EraseAccount', at: now(ports) } as const;
    const step = ownedStep(context, accountId, 'erase');
    const { position } = await ports.runner.run(account, uuidOf(accountId), command, step);
    await carryOutErasure(ports, accountId, context);
    return position;
  },
  carryOut: (accountId: AccountId, context: CommandContext) => carryOutErasure(ports, accountId, context),
});

export type Erasure = ReturnType<typeof createErasure>;

/**
 * Carries out a recorded erasure; idempotent, so it is retried until it succeeds.
 *
 * 1. Ends every resource with a quota.
 * 2. Releases the address, then destroys the data key, with which the address is sealed.
 * 3. Ends seats (of its team, and its own on other teams), purges the remaining profiles (those in the trash), and
 *    closes agent sessions. These are last, because they may have to wait for the read models.
 *
 * A purge of a profile destroys the keys of its states. Sessions end as those of a suspended account do. What is
 * created meanwhile is ended by a process manager (`late-erasures.ts`).
 */
async function carryOutErasure(
  ports: ErasurePorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const quotas = Object.values(accountQuotas(ports));
  await Promise.all(quotas.map((each) => endReservedResources(each, accountId, context)));
  await releaseAddress(ports, accountId, context);
  await ports.vault.forget(accountId);
  await Promise.all([
    endSeats(ports, accountId, context),
    purgeProfiles(ports, accountId, context),
    closeAgentSessions(ports, accountId, context),
  ]);
}

/** Released before the key is destroyed, because the address cannot be read afterwards. */
async function releaseAddress(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const address = await ownAddress(ports, accountId);
  if (address === null) return;
  const release = { type: 'ReleaseEmail', accountId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'release-email');
  await ports.runner.run(emailReservation, ports.emailUuid(address), release, step);
}

/** Profiles in the trash hold no reservation, and snapshots none on the account's stream. */
async function purgeProfiles(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const ids = await ports.profilesOf(accountId);
  await inBatches(ids, atOnce, (id) => purgeErased(ports, accountId, id, context));
}

async function closeAgentSessions(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const ids = await ports.agentSessionsOf(accountId);
  await inBatches(ids, atOnce, (id) => closeErased(ports, accountId, id, context));
}

/** Batch size, for owners with thousands of members. */
const atOnce = 32;

async function endSeats(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const seats = await ports.seatsOf(accountId);
  await inBatches(seats, atOnce, (seat) => endSeat(ports, seat, accountId, context));
}
