import { toId, uuidOf } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import type { Recorded } from '../../domain/profile/state.ts';
import { now, ownedContext, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import { assertReservable, reserve } from '../engine/reservations.ts';
import { changed, type Changed } from './find.ts';
import type { ProfilePorts } from './ports.ts';
import { profileReservations } from './reservations.ts';

/** The owner of the profiles, and their limit. */
export type Owner = Pick<Caller, 'accountId' | 'tier' | 'profileCap'>;

export interface AddedProfile extends Pick<
  Recorded<'ProfileCreated'>,
  'name' | 'description' | 'archetype' | 'origin'
> {
  /** Default: none. */
  readonly state?: Recorded<'ProfileCreated'>['state'];
}

type AddingPorts = Pick<ProfilePorts, 'runner' | 'clock' | 'newNoiseSeed'>;

/**
 * Reserves name and quota, then creates the profile; after a crash in between, the next request that the reservation blocks
 * reclaims it. The id derives from the command.
 */
export async function add(
  ports: AddingPorts,
  { accountId, profileCap: limit }: Owner,
  given: AddedProfile,
  by: CommandContext,
): Promise<Changed> {
  const { name, archetype, description, origin, state = null } = given;
  const context = ownedContext(by, accountId);
  const profileId = newProfileId(context);
  const share = { accountId, id: profileId, name, limit };
  await reserve(profileReservations(ports), share, context);
  const facts = { profileId, accountId, name, archetype, description, origin, state };
  const noiseSeed = ports.newNoiseSeed();
  const command = { type: 'CreateProfile', ...facts, noiseSeed, at: now(ports) } as const;
  const step = stepContext(context, 'create');
  return changed(await ports.runner.run(profile, uuidOf(profileId), command, step, { create: true }));
}

/** Refuses a taken name and a full quota before expensive work. Reserves nothing. */
export function assertRoom(
  ports: Pick<ProfilePorts, 'runner' | 'clock'>,
  { accountId, profileCap: limit }: Owner,
  name: string,
  by: CommandContext,
): Promise<void> {
  const context = ownedContext(by, accountId);
  const share = { accountId, id: newProfileId(context), name, limit };
  return assertReservable(profileReservations(ports), accountProfiles, share, context);
}

/** The id of the profile that a command creates. */
export const newProfileId = (context: CommandContext) =>
  toId('profile', stepContext(context, 'profile').commandId);
