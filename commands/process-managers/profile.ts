import { profileEvents } from '../../contracts/events/profile.ts';
import { finishPurge, type PurgePorts } from '../profile/purge.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Destroys the key of every profile that was purged, and has its snapshots forget it. */
export const profilePurgesManager = (ports: PurgePorts): ProcessManager =>
  reactingTo('profile-purges', profileEvents, {
    ProfilePurged: (purged, context) => finishPurge(ports, purged, context),
  });
