import { hasKnownType } from '../../../commands/engine/recording.ts';
import { profileEvents, type ProfileEvent } from '../../../contracts/events/profile.ts';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import type { ProfileId } from '../../../contracts/ids.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Metrics } from '../../metrics/index.ts';

/**
 * For the projector: outcomes of profiles' saves, from the log as it is applied, for all processes. A save that started before
 * this process followed the log is counted without its duration.
 */
export function saveMetrics(metrics: Metrics): (event: RecordedEvent) => void {
  const saves = metrics.counter(
    'service_profile_saves_total',
    'Saves of profiles that ended: saved, or the reason why not',
    'outcome',
  );
  for (const outcome of profileSaveFailures) saves({ outcome }, 0);
  const bytes = metrics.counter(
    'service_profile_saved_bytes_total',
    'Sealed bytes of the states that were saved',
  );
  const durations = metrics.durations(
    'service_profile_save_duration_seconds',
    'Time from the end of a session until its save ended',
    'outcome',
  );
  /** Start times of running saves. Bounded: each ends with its lease at the latest, or with its profile. */
  const begun = new Map<ProfileId, number>();
  const ended = (profileId: ProfileId, outcome: string, at: string) => {
    saves({ outcome });
    const since = begun.get(profileId);
    begun.delete(profileId);
    if (since !== undefined) durations({ outcome }, Math.max(0, Date.parse(at) - since));
  };
  return (event) => {
    if (event.data === undefined || !hasKnownType<ProfileEvent>(profileEvents, event)) return;
    const { type, data } = event;
    if (type === 'StateSaveStarted') begun.set(data.profileId, Date.parse(data.at));
    else if (type === 'ProfilePurged') begun.delete(data.profileId);
    else if (type === 'StateSaveFailed') ended(data.profileId, data.reason, data.at);
    else if (type === 'StateSaved') {
      ended(data.profileId, 'saved', data.at);
      bytes({}, data.state.bytes);
    }
  };
}
