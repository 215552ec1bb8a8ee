import { parseProfileId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { profile, type ProfileCommand } from '../../domain/profile/profile.ts';
import {
  isPresent,
  type ActiveProfile,
  type PresentProfile,
  type Profile,
} from '../../domain/profile/state.ts';
import { ownedStep, type CommandContext } from '../engine/context.ts';
import type { RunOutcome } from '../engine/runner.ts';
import type { ProfilePorts } from './ports.ts';

export interface Changed {
  readonly profile: PresentProfile;
  /** Undefined if nothing changed. */
  readonly position: RunOutcome<Profile, unknown>['position'];
}

type Finding = Pick<ProfilePorts, 'runner'>;

/** Throws `not-found` for a missing, trashed, purged or foreign profile and for an invalid id. */
export async function find(ports: Finding, accountId: AccountId, text: string): Promise<ActiveProfile> {
  const found = await findEvenTrashed(ports, accountId, text);
  if (found.status === 'active') return found;
  throw refuse('not-found');
}

export async function findEvenTrashed(
  { runner }: Finding,
  accountId: AccountId,
  text: string,
): Promise<PresentProfile> {
  const id = parseProfileId(text);
  const state = id === undefined ? undefined : (await runner.load(profile, uuidOf(id))).state;
  if (state === undefined || !isPresent(state) || state.accountId !== accountId) throw refuse('not-found');
  return state;
}

/** Runs a command of the account that the profile belonged to when it was found: it may have been transferred since. */
export const run = (
  { runner }: Finding,
  { profileId, accountId: owner }: PresentProfile,
  command: ProfileCommand,
  context: CommandContext,
  step: string,
) => runner.run(profile, uuidOf(profileId), { ...command, owner }, ownedStep(context, owner, step));

export function changed({ state, position }: RunOutcome<Profile, unknown>): Changed {
  if (!isPresent(state)) throw refuse('not-found');
  return { profile: state, position };
}
