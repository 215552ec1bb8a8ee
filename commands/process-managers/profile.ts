import { profileEvents, type ProfileEvent } from '../../contracts/events/profile.ts';
import { finishPurge, purgeIfErased, type PurgePorts } from '../profile/purge.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

/** Destroys the key of every profile that was purged, and has its snapshots forget it. */
export const profilePurgesManager = (ports: PurgePorts): ProcessManager =>
  processManager({
    name: 'profile-purges',
    category: profileEvents,
    react: (event: ProfileEvent) => (event.type === 'ProfilePurged' ? [event.data] : []),
    perform: (purged, context) => finishPurge(ports, purged, context),
  });

/** Purges whatever profile came to an account while its erasure was being carried out. */
export const profileErasuresManager = (ports: PurgePorts): ProcessManager =>
  processManager({
    name: 'profile-erasures',
    category: profileEvents,
    react: (event: ProfileEvent) =>
      event.type === 'ProfileCreated' || event.type === 'ProfileTransferred' ? [event.data] : [],
    perform: (came, context) => purgeIfErased(ports, came, context),
  });
