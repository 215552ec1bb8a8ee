import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { SaveOutcome } from '../../contracts/fleet/protocol.ts';
import { uuidOf, type NodeId, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import type { SavedState, StateCensus } from '../../contracts/profile-state.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { profile } from '../../domain/profile/profile.ts';
import { isPresent, type SaveFailure } from '../../domain/profile/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive, type DestroyedSession } from '../../domain/session/state.ts';
import { StateNotKept, StateUnreadable, type ProfileStates } from '../../infra/profile-states/types.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedStep, reportContext, type CommandContext } from '../engine/context.ts';
import { letGoOfProfile } from '../session/release.ts';
import type { SessionPorts } from '../session/index.ts';
import { keepArchive } from './keep.ts';

export interface SavePorts extends Pick<SessionPorts, 'runner' | 'clock' | 'limits'> {
  readonly states: ProfileStates;
  readonly logger: Logger;
}

const unreadable = 'The saved state of the profile cannot be opened.';

/**
 * The archive that the session's browser starts with: the state at the generation that the session was bound at. Only for
 * the node of a live session; undefined for any other, or when there is none. One that cannot be opened fails the creation: no browser is started empty in its place.
 */
async function open(ports: SavePorts, node: NodeId, id: SessionId): Promise<Readable | undefined> {
  const { state } = await ports.runner.load(session, uuidOf(id));
  if (!isLive(state) || state.nodeId !== node || state.profileId === null) return undefined;
  const { profileId } = state;
  const { state: bound } = await ports.runner.load(profile, uuidOf(profileId));
  const isBound = isPresent(bound) && bound.use.kind === 'live' && bound.use.sessionId === id;
  if (!isBound || bound.state === null) return undefined;
  const report = (error: unknown) => ports.logger.error({ err: error, profile: profileId }, unreadable);
  try {
    const archive = await ports.states.open(profileId, bound.state);
    // Damage further in breaks the archive off, which the node sees.
    return archive.once('error', report);
  } catch (error) {
    if (!(error instanceof StateUnreadable)) throw error;
    report(error);
    throw refuse('driver-error', unreadable);
  }
}

/**
 * Takes what a session left. It is kept in the object store first and counts from `StateSaved` on, so that a process that
 * is killed in between leaves a blob that nothing names, which the daily sweep deletes; the node sends the state again.
 * Sent again after a lost reply, it is `saved` already and has no second effect. What the profile's stream does not take,
 * because its lease ran out or a newer state is there, is dropped. Undefined for a session that is not the node's. Rejects when the archive breaks off, or its outcome
 * cannot be recorded: the node tries again until the lease runs out.
 */
async function save(
  ports: SavePorts,
  node: NodeId,
  id: SessionId,
  census: StateCensus,
  archive: AsyncIterable<Uint8Array>,
): Promise<Outcome | undefined> {
  const { state: ended } = await ports.runner.load(session, uuidOf(id));
  if (ended.status === 'none' || ended.nodeId !== node || ended.profileId === null) return undefined;
  if (ended.status !== 'destroyed') return 'refused';
  const save = { ...ended, profileId: ended.profileId };
  const context = ownedStep(
    reportContext(`save ${id}`, 'callback:node profile_saved'),
    ended.accountId,
    'save',
  );
  // Its clean-up may not have come that far yet.
  await letGoOfProfile(ports, ended, context);
  const { state: found } = await ports.runner.load(profile, uuidOf(save.profileId));
  if (!isPresent(found)) return 'refused';
  if (found.savedBy === id) return 'saved';
  if (found.use.kind !== 'saving' || found.use.sessionId !== id) return 'refused';
  const generation = (found.use.generation ?? 0) + 1;
  try {
    const kept = await keepArchive(ports.states, save.profileId, generation, archive);
    return await record(ports, save, { ...kept, census }, context);
  } catch (error) {
    if (!(error instanceof StateNotKept)) throw error;
    ports.logger.error({ err: error, session: id }, 'What a session left could not be kept.');
    await fail(ports, save, { reason: error.reason, detail: error.message }, context);
    return 'refused';
  }
}

type Outcome = SaveOutcome['outcome'];
type Save = DestroyedSession & { readonly profileId: ProfileId };

async function record(
  ports: SavePorts,
  save: Save,
  state: SavedState,
  context: CommandContext,
): Promise<Outcome> {
  const { sessionId, profileId, accountId } = save;
  const command = { type: 'SaveState', sessionId, state, at: now(ports) } as const;
  try {
    await ports.runner.run(profile, uuidOf(profileId), command, ownedStep(context, accountId, state.blob));
    return 'saved';
  } catch (error) {
    // Only a refusal means that it was not recorded; after any other error that is unknown.
    if (!(error instanceof Refusal)) throw error;
    await ports.states.drop(state.blob);
    await fail(ports, save, superseded, context);
    const { state: found } = await ports.runner.load(profile, uuidOf(profileId));
    // The same state was sent twice at once.
    return isPresent(found) && found.savedBy === sessionId ? 'saved' : 'refused';
  }
}

/** Does nothing if the save has ended, as it has after its lease. */
const superseded: SaveFailure = { reason: 'superseded', detail: 'A newer state of the profile is saved.' };

async function fail(
  ports: SavePorts,
  { sessionId, profileId, accountId }: Save,
  failure: SaveFailure,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'FailSave', sessionId, ...failure, at: now(ports) } as const;
  await ports.runner.run(profile, uuidOf(profileId), command, ownedStep(context, accountId, 'fail'));
}

/** Fetching and saving of profile states by nodes. */
export const createProfileSaves = (ports: SavePorts) => bindPorts(ports, { open, save });

export type ProfileSaves = ReturnType<typeof createProfileSaves>;
