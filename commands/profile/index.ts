import type { ActiveProfile, PresentProfile, Recorded } from '../../domain/profile/state.ts';
import { after } from '../../domain/kit/time.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import { release, renameReserved, reservedAt, withReservation } from '../engine/reservations.ts';
import { add, type Owner } from './add.ts';
import { archetypeIn } from './archetype.ts';
import { cloneProfile } from './clone.ts';
import { changed, find, findEvenTrashed, run, type Changed } from './find.ts';
import type { ProfilePorts } from './ports.ts';
import { profileReservations } from './reservations.ts';
import {
  captureSnapshot,
  deleteSnapshot,
  findSnapshot,
  findSnapshotEvenDeleted,
  restoreSnapshot,
} from './snapshots.ts';
import { acceptTransfer, findOffered, transfer } from './transfer.ts';

/** Commands of customers on profiles and snapshots that need no saved state. */
export const createProfileCommands = (ports: ProfilePorts) =>
  bindPorts(ports, {
    find,
    findEvenTrashed,
    create,
    change,
    trash,
    restore,
    purge,
    clone: cloneProfile,
    findOffered,
    transfer,
    acceptTransfer,
    findSnapshot,
    findSnapshotEvenDeleted,
    captureSnapshot,
    restoreSnapshot,
    deleteSnapshot,
  });

export type ProfileCommands = ReturnType<typeof createProfileCommands>;

export interface NewProfile extends Pick<Recorded<'ProfileCreated'>, 'name' | 'description'> {
  /** Default: the catalogue's. */
  readonly archetype: string | undefined;
}

/** Refuses an archetype that the catalogue does not have. */
const create = (ports: ProfilePorts, owner: Owner, given: NewProfile, context: CommandContext) => {
  const archetype = archetypeIn(ports.archetypes, given.archetype);
  return add(ports, owner, { ...given, archetype, origin: { kind: 'created' } }, context);
};

async function change(
  ports: ProfilePorts,
  found: ActiveProfile,
  changes: Recorded<'ProfileChanged'>['changes'],
  context: CommandContext,
): Promise<Changed> {
  const { profileId: id, accountId, name: before } = found;
  const { name: after = before } = changes;
  const decided = async (reservedAt?: string) => {
    const command = { type: 'ChangeProfile', changes, reservedAt, at: now(ports) } as const;
    return changed(await run(ports, found, command, context, 'change'));
  };
  if (after === before) return decided();
  const names = { accountId, id, before, after };
  return renameReserved(profileReservations(ports), names, decided, ownedContext(context, accountId));
}

/**
 * Releases only reservations made before the decision: a concurrent restore reserves again and keeps that. After a crash before
 * the release, the next request that the reservation blocks reclaims it.
 */
async function trash(ports: ProfilePorts, found: PresentProfile, context: CommandContext) {
  const { profileId: id, accountId } = found;
  const of = profileReservations(ports);
  const madeAt = await reservedAt(of, accountId, id);
  const at = now(ports);
  const command = { type: 'TrashProfile', purgeAt: after(at, ports.retentionMs), at } as const;
  const { events, position } = await run(ports, found, command, context, 'trash');
  if (events.length === 0 || madeAt === undefined) return position;
  const share = { accountId, id, name: null, madeAt };
  const released = await release(of, share, ownedContext(context, accountId));
  return released.position ?? position;
}

/** Reserves name and quota again, with the refusals of a creation. Leaves a profile that is not in the trash as it is. */
async function restore(
  ports: ProfilePorts,
  found: PresentProfile,
  { profileCap: limit }: Pick<Owner, 'profileCap'>,
  context: CommandContext,
): Promise<Changed> {
  if (found.status === 'active') return { profile: found, position: undefined };
  const { profileId: id, accountId, name } = found;
  const restored = async (reservedAt: string | undefined) => {
    const command = { type: 'RestoreProfile', reservedAt, at: now(ports) } as const;
    return changed(await run(ports, found, command, context, 'restore'));
  };
  const share = { accountId, id, name, limit };
  return withReservation(profileReservations(ports), share, restored, ownedContext(context, accountId));
}

/** Irreversible, and only from the trash. The reaction to the event destroys the data key and remaining blobs. */
async function purge(ports: ProfilePorts, found: PresentProfile, context: CommandContext) {
  const command = { type: 'PurgeProfile', cause: 'customer', at: now(ports) } as const;
  return (await run(ports, found, command, context, 'purge')).position;
}
