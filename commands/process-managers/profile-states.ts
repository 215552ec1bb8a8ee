import { profileEvents, type ProfileEvent } from '../../contracts/events/profile.ts';
import { uuidOf, type ProfileId } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ProfileStates } from '../../infra/profile-states/types.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { sweepBlobs, type BlobSweepPorts } from '../profile/sweep.ts';
import type { SessionCommands } from '../session/index.ts';
import type { Sweep } from './engine/host.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

export interface ProfileStatePorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly states: Pick<ProfileStates, 'drop'>;
  readonly sessions: Pick<SessionCommands, 'reportSaveFailure'>;
}

type SaveFailed = DataOf<ProfileEvent, 'StateSaveFailed'>;

export type ProfileReaction =
  | { readonly type: 'ReportSaveFailure'; readonly failure: SaveFailed }
  | { readonly type: 'DropBlob'; readonly blob: string }
  | { readonly type: 'DropState'; readonly profileId: ProfileId };

/** What must follow from a profile's events, whichever process appended them. */
export function reactToProfile({ type, data }: ProfileEvent): readonly ProfileReaction[] {
  if (type === 'StateSaveFailed') return [{ type: 'ReportSaveFailure', failure: data }];
  if (type === 'ProfilePurged') return [{ type: 'DropState', profileId: data.profileId }];
  if (type !== 'StateSaved' && type !== 'ProfileTrimmed') return [];
  return data.replaces === null ? [] : [{ type: 'DropBlob', blob: data.replaces }];
}

/** Tells the owner's webhooks of saves that failed, and deletes the blobs that no profile needs any more. */
export const profileStatesManager = (ports: ProfileStatePorts): ProcessManager =>
  processManager({
    name: 'profile-states',
    category: profileEvents,
    react: reactToProfile,
    perform: (reaction: ProfileReaction, context) => perform(ports, reaction, context),
  });

function perform(
  ports: ProfileStatePorts,
  reaction: ProfileReaction,
  context: CommandContext,
): Promise<void> {
  switch (reaction.type) {
    case 'ReportSaveFailure':
      return ports.sessions.reportSaveFailure(reaction.failure, context);
    case 'DropBlob':
      return ports.states.drop(reaction.blob);
    case 'DropState':
      return dropState(ports, reaction.profileId);
  }
}

/** Of a purged profile, whose key is destroyed beside this. */
async function dropState({ runner, states }: ProfileStatePorts, id: ProfileId): Promise<void> {
  const { state } = await runner.load(profile, uuidOf(id));
  if (state.status === 'purged' && state.state !== null) await states.drop(state.state.blob);
}

/** How often the object store is looked through, milliseconds. */
const everyMs = 24 * 3_600_000;

export const blobSweep = (ports: BlobSweepPorts): Sweep => ({
  name: 'blobs',
  everyMs,
  run: async () => {
    await sweepBlobs(ports);
  },
});
