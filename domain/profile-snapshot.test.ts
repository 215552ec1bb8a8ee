import type { ProfileSnapshotEvent } from '../contracts/events/profile-snapshot.ts';
import { toId } from '../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { profileSnapshot, snapshotQuota, type ProfileSnapshotCommand } from './profile-snapshot.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const of = { snapshotId: toId('profileSnapshot', uuid(1)), accountId: toId('account', uuid(2)) };
const profileId = toId('profile', uuid(3));
const at = '2026-01-05T12:00:00.000Z';
const captured = {
  ...of,
  profileId,
  label: 'before',
  description: null,
  parentName: 'Work',
  parentArchetype: 'iphone-15',
};

const events = eventBuilders<ProfileSnapshotEvent>({
  SnapshotCaptured: { ...captured, at },
  SnapshotWithdrawn: { ...of, at },
  SnapshotOrphaned: { ...of, at },
  SnapshotDeleted: { ...of, at },
});
const commands = commandBuilders<ProfileSnapshotCommand>({
  CaptureSnapshot: { ...captured, at },
  WithdrawSnapshot: { ...of, at },
  OrphanSnapshot: { ...of, at },
  DeleteSnapshot: { at },
});
const { given } = deciderSpec(profileSnapshot);
const kept = events.SnapshotCaptured();

describe('a snapshot of a profile', () => {
  it('is captured once', () => {
    given().when(commands.CaptureSnapshot()).then(kept);
    given(kept).when(commands.CaptureSnapshot()).nothing();
  });

  it('that was withdrawn is never captured', () => {
    given().when(commands.WithdrawSnapshot()).then(events.SnapshotWithdrawn());
    given(kept).when(commands.WithdrawSnapshot()).nothing();
    given(events.SnapshotWithdrawn()).when(commands.CaptureSnapshot()).refused('conflict');
  });

  it('loses the reference to its profile once, when that is purged', () => {
    given(kept).when(commands.OrphanSnapshot()).then(events.SnapshotOrphaned());
    given(kept, events.SnapshotOrphaned()).when(commands.OrphanSnapshot()).nothing();
    given(kept, events.SnapshotDeleted()).when(commands.OrphanSnapshot()).nothing();
  });

  it('of a profile that was purged before it was captured is never captured', () => {
    given().when(commands.OrphanSnapshot()).then(events.SnapshotWithdrawn());
  });

  it('is deleted once', () => {
    given(kept).when(commands.DeleteSnapshot()).then(events.SnapshotDeleted());
    given(kept, events.SnapshotOrphaned()).when(commands.DeleteSnapshot()).then(events.SnapshotDeleted());
    given(kept, events.SnapshotDeleted()).when(commands.DeleteSnapshot()).nothing();
    given().when(commands.DeleteSnapshot()).refused('not-found');
  });
});

describe('the snapshots of a profile', () => {
  const share = { accountId: of.accountId, name: null, at };
  const reserved = (n: number) => ({ type: 'SnapshotReserved', data: { ...share, id: uuid(n) } });

  it('are limited in number, and may share a name', () => {
    const quota = deciderSpec(snapshotQuota);
    const reserve = (n: number) => ({ type: 'Reserve' as const, ...share, id: uuid(n), limit: 2 });
    quota.given(reserved(1)).when(reserve(2)).then(reserved(2));
    quota.given(reserved(1), reserved(2)).when(reserve(3)).refused('tier-limit');
  });
});
