import { dayMs } from '../../contracts/durations.ts';
import { profileEvents } from '../../contracts/events/profile.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ProfileStates } from '../../infra/profile-states/types.ts';
import type { Runner } from '../engine/runner.ts';
import { sweepBlobs, type BlobSweepPorts } from '../profile/sweep.ts';
import type { SessionCommands } from '../session/index.ts';
import type { Sweep } from './engine/host.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

export interface ProfileStateManagerPorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly states: Pick<ProfileStates, 'drop'>;
  readonly sessions: Pick<SessionCommands, 'reportSaveFailure'>;
}

/** Announces failed saves to the owner's webhooks, and deletes blobs that no profile needs. */
export const profileStatesManager = ({
  runner,
  states,
  sessions,
}: ProfileStateManagerPorts): ProcessManager => {
  const drop = async (blob: string | null) => {
    if (blob !== null) await states.drop(blob);
  };
  return reactingTo('profile-states', profileEvents, {
    StateSaveFailed: (failure, context) => sessions.reportSaveFailure(failure, context),
    StateSaved: ({ replaces }) => drop(replaces),
    ProfileTrimmed: ({ replaces }) => drop(replaces),
    /** Another manager destroys its key. */
    ProfilePurged: async ({ profileId }) => {
      const { state } = await runner.load(profile, uuidOf(profileId));
      if (state.status === 'purged') await drop(state.state?.blob ?? null);
    },
  });
};

/** Interval of the sweep of the object store, in milliseconds. */
const everyMs = dayMs;

export const blobSweep = (ports: BlobSweepPorts): Sweep => ({
  name: 'blobs',
  everyMs,
  run: async (signal) => {
    await sweepBlobs(ports, { signal });
  },
});
