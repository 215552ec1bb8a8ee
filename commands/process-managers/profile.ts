import { profileEvents } from '../../contracts/events/profile.ts';
import { finishPurge, purgeIfErased, type PurgePorts } from '../profile/purge.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Destroys the key of every profile that was purged, and has its snapshots forget it. */
export const profilePurgesManager = (ports: PurgePorts): ProcessManager =>
  reactingTo('profile-purges', profileEvents, {
    ProfilePurged: (purged, context) => finishPurge(ports, purged, context),
  });

/** Purges whatever profile came to an account while its erasure was being carried out. */
export const profileErasuresManager = (ports: PurgePorts): ProcessManager =>
  reactingTo('profile-erasures', profileEvents, {
    ProfileCreated: (created, context) => purgeIfErased(ports, created, context),
    ProfileTransferred: (transferred, context) => purgeIfErased(ports, transferred, context),
  });
