import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account, keyReservations } from '../../domain/account.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { apiKey } from '../../domain/api-key.ts';
import { emailReservation } from '../../domain/email.ts';
import { proxy, proxyQuota } from '../../domain/proxy.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import type { Quota, QuotaCommand } from '../../domain/kit/quota.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import { purgeErased } from '../profile/purge.ts';
import { ownAddress } from './email.ts';
import { endSeat, type TeamSeat } from '../team/erasure.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface ErasurePorts extends CommandPorts {
  readonly vault: Pick<Vault, 'open' | 'forget'>;
  readonly emailUuid: (email: string) => string;
  /** Every seat that had to do with the account when its erasure was recorded. Rejects while that is not known yet. */
  readonly seatsOf: (accountId: AccountId) => Promise<readonly TeamSeat[]>;
  /** The ids of every profile, in the trash or not, and of every snapshot that the account had then. Rejects as `seatsOf` does. */
  readonly profilesOf: (accountId: AccountId) => Promise<readonly string[]>;
}

/** Erases accounts for good. */
export const createErasure = (ports: ErasurePorts) => ({
  /** Recorded first, so that whatever cuts this short is carried on from the event. */
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
 * What the erasure of an account leads to, in any number of tries: everything it has ends, its address is free for another
 * account, and its data key is destroyed, after that because the address is sealed with it. Its sessions end as those of a
 * suspended account do. Its profiles are purged, which destroys the keys of their states. The memberships on its team and its own on others, and the
 * profiles in the trash, end last, since they may have to wait for the read models; a member that joins in the meantime is removed by a process manager (`team-erasures`).
 */
async function carryOutErasure(
  ports: ErasurePorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await Promise.all([
    revokeKeys(ports, accountId, context),
    deleteWebhooks(ports, accountId, context),
    deleteProxies(ports, accountId, context),
    endReserved(ports, accountProfiles, accountId, context, (id) =>
      purgeErased(ports, accountId, id, context),
    ),
  ]);
  await releaseAddress(ports, accountId, context);
  await ports.vault.forget(accountId);
  await Promise.all([endSeats(ports, accountId, context), purgeProfiles(ports, accountId, context)]);
}

async function revokeKeys(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const { runner } = ports;
  const { state } = await runner.load(account, uuidOf(accountId));
  for (const { id } of keyReservations(state)) {
    const step = (name: string) => ownedStep(context, accountId, `${name} ${id}`);
    const { state: key } = await runner.load(apiKey, uuidOf(id));
    const at = now(ports);
    if (key.status !== 'none')
      await runner.run(apiKey, uuidOf(id), { type: 'RevokeApiKey', by: 'staff', at }, step('revoke'));
    const dismiss = { type: 'DismissApiKey', apiKeyId: id, at } as const;
    await runner.run(account, uuidOf(accountId), dismiss, step('dismiss'));
  }
}

const deleteWebhooks = (ports: ErasurePorts, accountId: AccountId, context: CommandContext) =>
  endReserved(ports, accountWebhooks, accountId, context, async (id, step) => {
    const { state } = await ports.runner.load(webhookEndpoint, uuidOf(id));
    if (state.status === 'none') return;
    await ports.runner.run(webhookEndpoint, uuidOf(id), { type: 'DeleteWebhook', at: now(ports) }, step);
  });

const deleteProxies = (ports: ErasurePorts, accountId: AccountId, context: CommandContext) =>
  endReserved(ports, proxyQuota, accountId, context, async (id, step) => {
    const { state } = await ports.runner.load(proxy, uuidOf(id));
    if (state.status !== 'live') return;
    await ports.runner.run(proxy, uuidOf(id), { type: 'Delete', at: now(ports) }, step);
  });

/** Ends whatever the account has a share of a quota for, and gives the share back. */
async function endReserved<Id extends string, Event extends DomainEvent>(
  ports: ErasurePorts,
  quota: Decider<Quota<Id>, QuotaCommand<Id>, Event>,
  accountId: AccountId,
  context: CommandContext,
  end: (id: Id, step: CommandContext) => Promise<void>,
): Promise<void> {
  const { runner } = ports;
  const { state } = await runner.load(quota, uuidOf(accountId));
  for (const { id } of state.reservations) {
    await end(id, ownedStep(context, accountId, `delete ${id}`));
    const release = { type: 'Release', accountId, id, name: null, at: now(ports) } as const;
    await runner.run(quota, uuidOf(accountId), release, ownedStep(context, accountId, `release ${id}`));
  }
}

/** Once the key is destroyed nobody knows the address any more; it was released before. */
async function releaseAddress(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const address = await ownAddress(ports, accountId);
  if (address === null) return;
  const release = { type: 'ReleaseEmail', accountId, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'release-email');
  await ports.runner.run(emailReservation, ports.emailUuid(address), release, step);
}

/** Those in the trash hold no reservation, and snapshots none of the account's. */
async function purgeProfiles(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const ids = await ports.profilesOf(accountId);
  await inBatches(ids, atOnce, (id) => purgeErased(ports, accountId, id, context));
}

/** Of an owner with ten thousand members, so many at a time. */
const atOnce = 32;

async function endSeats(ports: ErasurePorts, accountId: AccountId, context: CommandContext) {
  const seats = await ports.seatsOf(accountId);
  await inBatches(seats, atOnce, (seat) => endSeat(ports, seat, accountId, context));
}
