import type { SavedState } from '../../contracts/profile-state.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { TrimProfile, Trimmed } from '../../contracts/resources/profile.ts';
import { assertFree } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import {
  StateArchiveInvalid,
  StateNotKept,
  StateUnreadable,
  trimState,
} from '../../infra/profile-states/index.ts';
import { now, type CommandContext } from '../engine/context.ts';
import { run } from './find.ts';
import { keepArchive } from './keep.ts';
import { notKept, unreadable, type ProfileStatePorts } from './state-ports.ts';

type TrimPorts = Pick<ProfileStatePorts, 'runner' | 'clock' | 'states' | 'trims' | 'logger'>;

/**
 * Removes parts of the state, and stores the rest as its next generation. A launch or a save in between wins, and the trimmed
 * state is dropped; after a crash before `ProfileTrimmed`, the daily sweep deletes the unnamed blob.
 */
export async function trimProfile(
  ports: TrimPorts,
  found: ActiveProfile,
  wanted: TrimProfile,
  context: CommandContext,
) {
  const { accountId, state: before } = assertFree(found);
  if (before === null) return { trimmed: { before_bytes: 0, after_bytes: 0 }, position: undefined };
  const state = await ports.trims
    .hold(accountId, () => keepTrimmed(ports, found, before, wanted))
    .catch(async (error: unknown) => {
      throw await notTrimmed(ports, found, error);
    });
  const command = { type: 'TrimProfile', of: before.generation, state, at: now(ports) } as const;
  try {
    const { position } = await run(ports, found, command, context, 'trim');
    const trimmed: Trimmed = { before_bytes: before.bytes, after_bytes: state.bytes };
    return { trimmed, position };
  } catch (error) {
    // Unless it was refused, it may be recorded.
    if (error instanceof Refusal) await ports.states.drop(state.blob);
    throw error;
  }
}

async function keepTrimmed(
  { states, clock }: TrimPorts,
  { profileId }: ActiveProfile,
  before: SavedState,
  { keep, older_than_days: olderThanDays }: TrimProfile,
): Promise<SavedState> {
  const open = () => states.open(profileId, before);
  const { archive, census } = await trimState(open, { keep, olderThanDays, now: clock.now() });
  const kept = await keepArchive(states, profileId, before.generation + 1, archive);
  return { ...kept, census: census() };
}

/** The rest may pack worse than the whole did. */
const restTooLarge = 'What is left of the state is larger than a state may be. Keep fewer parts.';

/** The error of a state that could not be trimmed, as a refusal if it is one. */
async function notTrimmed(ports: TrimPorts, found: ActiveProfile, error: unknown): Promise<unknown> {
  if (error instanceof StateUnreadable || error instanceof StateArchiveInvalid)
    return unreadable(ports, found, error);
  const isTooLarge = error instanceof StateNotKept && error.reason === 'too_large';
  return isTooLarge ? refuse('conflict', restTooLarge) : notKept(error);
}
