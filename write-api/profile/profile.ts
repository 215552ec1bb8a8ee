import type { ProfileCommands } from '../../commands/profile/index.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { presentProfile, presentSnapshot, type Transfer } from '../../contracts/resources/profile.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type ProfileRoutes = `profiles.${'create' | 'update' | 'trash-one' | 'restore' | 'purge' | 'clone'}`;
type TransferRoutes = 'profiles.transfer' | 'profiles.accept-transfer';
type SnapshotRoutes = 'profile-snapshots.create' | 'profile-snapshots.restore' | 'profile-snapshots.delete';

/** The routes that create, change and end profiles. */
export function profileHandlers(
  profiles: ProfileCommands,
  { answering, answeringOn }: Handling,
): HandlersOf<ProfileRoutes> {
  const onProfile = answeringOn(({ accountId }, id) => profiles.find(accountId, id));
  const onPresent = answeringOn(({ accountId }, id) => profiles.findEvenTrashed(accountId, id));
  return {
    'profiles.create': answering(async ({ caller, body }) => {
      const { name, archetype, description = null } = body;
      return shown(await profiles.create(caller, { name, archetype, description }, caller.context));
    }),
    'profiles.update': onProfile(async ({ caller, found, body }) => {
      const { name, archetype, description } = body;
      const message = 'is fixed when a profile is created';
      if (archetype !== undefined && archetype !== found.archetype)
        throw invalid({ path: '/body/archetype', code: 'const', message });
      const changes = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
      return shown(await profiles.change(found, changes, caller.context));
    }),
    'profiles.trash-one': onPresent(async ({ caller, found }) => ({
      position: await profiles.trash(found, caller.context),
    })),
    'profiles.restore': onPresent(async ({ caller, found }) =>
      shown(await profiles.restore(found, caller, caller.context)),
    ),
    'profiles.purge': onPresent(async ({ caller, found }) => ({
      position: await profiles.purge(found, caller.context),
    })),
    'profiles.clone': onProfile(async ({ caller, found, body }) =>
      shown(await profiles.clone(caller, found, body.name, caller.context)),
    ),
  };
}

/** The routes that transfer profiles. */
export function transferHandlers(
  profiles: ProfileCommands,
  { answeringOn }: Handling,
): HandlersOf<TransferRoutes> {
  const onProfile = answeringOn(({ accountId }, id) => profiles.find(accountId, id));
  const onOffered = answeringOn(({ accountId }, id) => profiles.findOffered(accountId, id));
  return {
    'profiles.transfer': onProfile(async ({ caller, found, body }) => {
      const { to_account_id } = body;
      const { expiresAt, position } = await profiles.transfer(caller, found, to_account_id);
      const status = expiresAt === null ? 'transferred' : 'offered';
      const offered: Transfer = { id: found.profileId, to_account_id, status, expires_at: expiresAt };
      return { body: offered, position };
    }),
    'profiles.accept-transfer': onOffered(async ({ caller, found }) =>
      shown(await profiles.acceptTransfer(caller, found, caller.context)),
    ),
  };
}

/** The routes of snapshots. */
export function snapshotHandlers(
  profiles: ProfileCommands,
  { answeringOn }: Handling,
): HandlersOf<SnapshotRoutes> {
  const onProfile = answeringOn(({ accountId }, id) => profiles.find(accountId, id));
  const onSnapshot = answeringOn(({ accountId }, id) => profiles.findSnapshot(accountId, id));
  const onEvenDeleted = answeringOn(({ accountId }, id) => profiles.findSnapshotEvenDeleted(accountId, id));
  return {
    'profile-snapshots.create': onProfile(async ({ caller, found, body }) => {
      const { label, description = null } = body;
      const labelled = { label, description };
      const { snapshot, position } = await profiles.captureSnapshot(found, labelled, caller.context);
      return { body: presentSnapshot(snapshot), position };
    }),
    'profile-snapshots.restore': onSnapshot(async ({ caller, found, body }) =>
      shown(await profiles.restoreSnapshot(caller, found, body.name, caller.context)),
    ),
    'profile-snapshots.delete': onEvenDeleted(async ({ caller, found }) => ({
      position: await profiles.deleteSnapshot(found, caller.context),
    })),
  };
}

const shown = ({ profile, position }: Awaited<ReturnType<ProfileCommands['create']>>) => ({
  body: presentProfile(profile),
  position,
});
