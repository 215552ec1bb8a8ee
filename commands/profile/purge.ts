import { parseId, toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import { isPresent, type Recorded } from '../../domain/profile/state.ts';
import { profileSnapshot } from '../../domain/profile-snapshot.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { orphanSnapshots } from './snapshots.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface PurgePorts extends CommandPorts {
  readonly vault: Pick<Vault, 'forget'>;
}

/** Completes a purge; idempotent. Destroys the keys of every copy of the profile's state, and orphans its snapshots. */
export async function finishPurge(
  ports: PurgePorts,
  purged: Recorded<'ProfilePurged'>,
  context: CommandContext,
): Promise<void> {
  await ports.vault.forget(purged.profileId);
  await orphanSnapshots(ports, purged, context);
}

/** Ends a profile or a snapshot of an erased account; one that does not exist yet is withdrawn. */
export async function purgeErased(
  ports: CommandPorts,
  accountId: AccountId,
  id: string,
  context: CommandContext,
): Promise<void> {
  const { runner } = ports;
  const [uuid, at] = [uuidOf(id), now(ports)];
  const step = ownedStep(context, accountId, `erase ${id}`);
  if (parseId('profileSnapshot', id) !== undefined) {
    const { status } = (await runner.load(profileSnapshot, uuid)).state;
    if (status === 'kept') await runner.run(profileSnapshot, uuid, { type: 'DeleteSnapshot', at }, step);
    return;
  }
  const profileId = toId('profile', uuid);
  const { state } = await runner.load(profile, uuid);
  if (state.status === 'none')
    await runner.run(profile, uuid, { type: 'WithdrawProfile', profileId, accountId, at }, step);
  // Transferred meanwhile: it is the other account's.
  if (!isPresent(state) || state.accountId !== accountId) return;
  await runner.run(profile, uuid, { type: 'PurgeProfile', cause: 'erasure', at }, step);
}
