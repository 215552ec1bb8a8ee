import { quotaEvents } from '../record.ts';
import { Type, Timestamp, closed, nullable } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { snapshotId: idSchema('profileSnapshot'), accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('profile_snapshot');

/** `profile_snapshot-<uuid>`: a profile's name and archetype at one time. */
export const profileSnapshotEvents = category(
  'profile_snapshot',
  {
    SnapshotCaptured: closed({
      ...of,
      profileId: idSchema('profile'),
      label: Type.String(),
      description: nullable(Type.String()),
      parentName: Type.String(),
      parentArchetype: Type.String(),
    }),
    SnapshotWithdrawn: closed(of),
    /** Its parent was purged. */
    SnapshotOrphaned: closed(of),
    SnapshotDeleted: closed(of),
  },
  {
    personal: { SnapshotCaptured: { label: '', description: null, parentName: '' } },
    audit: {
      SnapshotCaptured: ({ snapshotId, profileId, label }) =>
        entry('profile_snapshot.created', snapshotId, { parent_profile_id: profileId, label }),
      SnapshotDeleted: ({ snapshotId }) => entry('profile_snapshot.deleted', snapshotId),
    },
  },
);
export type ProfileSnapshotEvent = EventOf<typeof profileSnapshotEvents>;

/** `profile_snapshots-<profile uuid>`: the snapshots of one profile, limited in number. */
export const profileSnapshotsEvents = quotaEvents('profile_snapshots', 'Snapshot', 'profileSnapshot');
