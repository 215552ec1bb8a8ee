import {
  profileSnapshotEvents,
  profileSnapshotsEvents,
  type ProfileSnapshotEvent,
} from '../contracts/events/profile-snapshot.ts';
import type { ProfileId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { tooLate } from './kit/record.ts';
import { recordQuota } from './kit/quota.ts';

type Captured = DataOf<ProfileSnapshotEvent, 'SnapshotCaptured'>;
type Of = Pick<Captured, 'snapshotId' | 'accountId'>;

export interface SnapshotFacts extends Readonly<Omit<Captured, 'profileId' | 'at'>> {
  /** The parent's id; null once it is purged. */
  readonly profileId: ProfileId | null;
  readonly capturedAt: string;
}

export type KeptSnapshot = { readonly status: 'kept' } & SnapshotFacts;
/**
 * | status    | Capture  | Withdraw, Orphan        | Delete    |
 * | --------- | -------- | ----------------------- | --------- |
 * | none      | kept     | withdrawn               | not-found |
 * | withdrawn | conflict |                         | not-found |
 * | kept      |          | orphaned by Orphan only | deleted   |
 * | deleted   |          |                         |           |
 *
 * Withdrawn: its capture took longer than the lease, or its profile was purged before.
 */
export type ProfileSnapshot =
  | { readonly status: 'none' }
  | { readonly status: 'withdrawn' }
  | KeptSnapshot
  | ({ readonly status: 'deleted' } & SnapshotFacts);

export type ProfileSnapshotCommand = CommandsOf<{
  CaptureSnapshot: Omit<Captured, 'at'>;
  WithdrawSnapshot: Of;
  /** The parent was purged. */
  OrphanSnapshot: Of;
  DeleteSnapshot: unknown;
}>;

const rules: Rules<ProfileSnapshot, ProfileSnapshotCommand, ProfileSnapshotEvent> = {
  CaptureSnapshot(state, { type: _, ...data }) {
    if (state.status === 'withdrawn') throw tooLate();
    return state.status === 'none' ? [{ type: 'SnapshotCaptured', data }] : [];
  },
  WithdrawSnapshot(state, { type: _, ...data }) {
    return state.status === 'none' ? [{ type: 'SnapshotWithdrawn', data }] : [];
  },
  /** A snapshot not captured yet is withdrawn: it would name a purged profile. */
  OrphanSnapshot(state, { type: _, ...data }) {
    if (state.status === 'none') return [{ type: 'SnapshotWithdrawn', data }];
    return state.status === 'kept' && state.profileId !== null ? [{ type: 'SnapshotOrphaned', data }] : [];
  },
  DeleteSnapshot(state, { at }) {
    if (state.status === 'deleted') return [];
    if (state.status !== 'kept') throw refuse('not-found', 'There is no such snapshot.');
    const { snapshotId, accountId } = state;
    return [{ type: 'SnapshotDeleted', data: { snapshotId, accountId, at } }];
  },
};

/** A profile's name and archetype at the time of the capture. */
export const profileSnapshot: Decider<ProfileSnapshot, ProfileSnapshotCommand, ProfileSnapshotEvent> = {
  category: profileSnapshotEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: ProfileSnapshot, event: ProfileSnapshotEvent): ProfileSnapshot {
  if (state.status === 'none') {
    if (event.type === 'SnapshotWithdrawn') return { status: 'withdrawn' };
    if (event.type !== 'SnapshotCaptured') return state;
    const { at: capturedAt, ...facts } = event.data;
    return { status: 'kept', ...facts, capturedAt };
  }
  if (state.status === 'withdrawn') return state;
  switch (event.type) {
    case 'SnapshotOrphaned':
      return { ...state, profileId: null };
    case 'SnapshotDeleted':
      return { ...state, status: 'deleted' };
    case 'SnapshotCaptured':
    case 'SnapshotWithdrawn':
      return state;
  }
}

/** The snapshots of a profile. They have no unique labels. */
export const snapshotQuota = recordQuota(profileSnapshotsEvents, 'Snapshot', 'snapshot');
