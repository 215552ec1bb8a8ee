import { toId, uuidOf, type AccountId, type ProfileId } from '../../contracts/ids.ts';
import { snapshotsPerProfile } from '../../contracts/resources/profile.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  profileSnapshot,
  snapshotQuota,
  type KeptSnapshot,
  type SnapshotFacts,
} from '../../domain/profile-snapshot.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { now, ownedContext, ownedStep, stepContext, type CommandContext } from '../engine/context.ts';
import { findOwned } from '../engine/find-owned.ts';
import { quotaStreamOf, release, reserve, type Reservations } from '../engine/reservations.ts';
import { add, type Owner } from './add.ts';
import { find, type Changed } from './find.ts';
import type { ProfilePorts } from './ports.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Throws `not-found` for a missing, deleted or foreign snapshot and for an invalid id. */
export async function findSnapshot(
  ports: CommandPorts,
  accountId: AccountId,
  text: string,
): Promise<KeptSnapshot> {
  const found = await findSnapshotEvenDeleted(ports, accountId, text);
  if (found.status !== 'kept') throw refuse('not-found');
  return found;
}

/** The same, but finds a deleted snapshot too, so that a repeated delete changes nothing and succeeds. */
export const findSnapshotEvenDeleted = ({ runner }: CommandPorts, accountId: AccountId, text: string) =>
  findOwned(runner, profileSnapshot, 'profileSnapshot', accountId, text);

/** Snapshots' shares of their profile's quota. */
const snapshotReservations = ({ runner, clock }: CommandPorts): Reservations => ({
  clock,
  quota: quotaStreamOf(runner, snapshotQuota),
  async resourceOf(id) {
    const { status } = (await runner.load(profileSnapshot, uuidOf(id))).state;
    if (status === 'none') return { kind: 'not created' };
    return status === 'kept' ? { kind: 'present', name: null } : { kind: 'ended' };
  },
  withdraw: (id, accountId, step) => {
    const snapshotId = toId('profileSnapshot', uuidOf(id));
    const command = { type: 'WithdrawSnapshot', snapshotId, accountId, at: now({ clock }) } as const;
    return runner.run(profileSnapshot, uuidOf(id), command, step);
  },
});

/**
 * Reserves a share of the profile's quota, then creates the snapshot. The profile is read again in between: an earlier purge is
 * detected there, and a later one finds the reservation, and orphans the snapshot.
 */
export async function captureSnapshot(
  ports: CommandPorts,
  { profileId, accountId }: ActiveProfile,
  { label, description }: { readonly label: string; readonly description: string | null },
  by: CommandContext,
) {
  const context = ownedContext(by, accountId);
  const snapshotId = toId('profileSnapshot', stepContext(context, 'snapshot').commandId);
  const share = { uuid: uuidOf(profileId), accountId, id: snapshotId, name: null };
  await reserve(snapshotReservations(ports), { ...share, limit: snapshotsPerProfile }, context);
  const { name: parentName, archetype: parentArchetype } = await find(ports, accountId, profileId);
  const parent = { profileId, parentName, parentArchetype };
  const facts = { snapshotId, accountId, ...parent, label, description };
  const command = { type: 'CaptureSnapshot', ...facts, at: now(ports) } as const;
  const step = stepContext(context, 'capture');
  const { state, position } = await ports.runner.run(profileSnapshot, uuidOf(snapshotId), command, step);
  if (state.status !== 'kept') throw refuse('not-found');
  return { snapshot: state, position };
}

/** A new profile with the snapshot's name and archetype, without a state. */
export const restoreSnapshot = (
  ports: ProfilePorts,
  owner: Owner,
  { snapshotId, parentArchetype }: KeptSnapshot,
  name: string,
  context: CommandContext,
): Promise<Changed> => {
  const origin = { kind: 'restored', snapshotId } as const;
  return add(ports, owner, { name, archetype: parentArchetype, description: null, origin }, context);
};

/**
 * Deletes the snapshot, then releases its share of the quota. After a crash in between, the share is reclaimed when the limit is
 * reached.
 */
export async function deleteSnapshot(
  ports: CommandPorts,
  { snapshotId, accountId, profileId }: SnapshotFacts,
  by: CommandContext,
) {
  const command = { type: 'DeleteSnapshot', at: now(ports) } as const;
  const step = ownedStep(by, accountId, 'delete');
  const { position } = await ports.runner.run(profileSnapshot, uuidOf(snapshotId), command, step);
  if (profileId === null) return position;
  const share = { uuid: uuidOf(profileId), accountId, id: snapshotId, name: null };
  const released = await release(snapshotReservations(ports), share, ownedContext(by, accountId));
  return released.position ?? position;
}

/** Orphans every snapshot of a purged profile; one that is still being captured is withdrawn. */
export async function orphanSnapshots(
  ports: CommandPorts,
  { profileId, accountId: purgedOf }: { readonly profileId: ProfileId; readonly accountId: AccountId },
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(snapshotQuota, uuidOf(profileId));
  for (const { id } of state.reservations) {
    const snapshotId = toId('profileSnapshot', uuidOf(id));
    const { state: snapshot } = await ports.runner.load(profileSnapshot, uuidOf(id));
    const accountId = snapshot.status === 'kept' ? snapshot.accountId : purgedOf;
    const command = { type: 'OrphanSnapshot', snapshotId, accountId, at: now(ports) } as const;
    const step = ownedStep(context, accountId, `orphan ${snapshotId}`);
    await ports.runner.run(profileSnapshot, uuidOf(snapshotId), command, step);
  }
}
