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
import { Contended } from '../engine/runner.ts';
import { letGoOfProfile } from '../session/release.ts';
import type { SessionPorts } from '../session/index.ts';
import { keepArchive } from './keep.ts';

export interface SavePorts extends Pick<SessionPorts, 'runner' | 'clock' | 'limits'> {
  readonly states: ProfileStates;
  readonly logger: Logger;
}

const unreadable = 'The saved state of the profile cannot be opened.';

/**
 * The archive that the session's browser starts with: the state at the generation bound to the session. Undefined if there is
 * none, and for any node but that of the live session. An archive that cannot be opened fails the creation: no empty browser is
 * started instead.
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
    // Damage further in ends the stream with an error, which the node sees.
    return archive.once('error', report);
  } catch (error) {
    if (!(error instanceof StateUnreadable)) throw error;
    report(error);
    throw refuse('driver-error', unreadable);
  }
}

/**
 * Saves a session's state. It is stored in the object store first and is valid from `StateSaved` on: after a crash in between,
 * the daily sweep deletes the unnamed blob, and the node sends the state again. A state sent again after a lost reply is `saved`
 * already. What the profile's stream refuses, after the lease or a newer state, is dropped. Undefined for a session that is not
 * the node's. Rejects if the archive breaks off, the profile keeps changing or the outcome cannot be recorded: the node retries
 * until the lease expires.
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
  // The session's clean-up may still be running.
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
    ports.logger.error({ err: error, session: id }, 'The state that a session left could not be saved.');
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
    // Only a refusal means that nothing was recorded; after any other error that is unknown.
    if (!(error instanceof Refusal)) throw error;
    await ports.states.drop(state.blob);
    // The save itself is not refused: the node sends it again.
    if (error instanceof Contended) throw error;
    await fail(ports, save, superseded, context);
    const { state: found } = await ports.runner.load(profile, uuidOf(profileId));
    // The same state was sent twice concurrently.
    return isPresent(found) && found.savedBy === sessionId ? 'saved' : 'refused';
  }
}

/** The failure of a save whose lease has ended. */
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
