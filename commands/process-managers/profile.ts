import { profileEvents } from '../../contracts/events/profile.ts';
import { finishPurge, type PurgePorts } from '../profile/purge.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Destroys the key of every purged profile, and orphans its snapshots. */
export const profilePurgesManager = (ports: PurgePorts): ProcessManager =>
  reactingTo('profile-purges', profileEvents, {
    ProfilePurged: (purged, context) => finishPurge(ports, purged, context),
  });
