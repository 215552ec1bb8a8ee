import { profileSaveFailures } from '../webhooks/event-types.ts';
import { SavedState } from '../profile-state.ts';
import { quotaEvents } from '../record.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema, uuidOf } from '../ids.ts';
import { category, entryOn, timersOn, type AuditedAction, type EventOf } from './catalogue.ts';

const of = { profileId: idSchema('profile'), accountId: idSchema('account'), at: Timestamp };
const sessionId = idSchema('session');
/** The blob of the previous state, unused from now on. */
const replaces = nullable(Type.String());
const entry = entryOn('profile');
const timer = timersOn('profileId');

/** The origin of a profile. */
export const ProfileOrigin = Type.Union([
  closed({ kind: Type.Literal('created') }),
  closed({ kind: Type.Literal('cloned'), profileId: idSchema('profile') }),
  closed({ kind: Type.Literal('restored'), snapshotId: idSchema('profileSnapshot') }),
  closed({ kind: Type.Literal('imported') }),
]);
export type ProfileOrigin = Static<typeof ProfileOrigin>;

/** The audit entry of a profile's creation, with its origin. */
function created(id: string, name: string, archetype: string, origin: ProfileOrigin): AuditedAction {
  const payload = { name, archetype };
  switch (origin.kind) {
    case 'created':
      return entry('profile.created', id, payload);
    case 'cloned':
      return entry('profile.cloned', id, {
        ...payload,
        cloned_from: `profile_${uuidOf(origin.profileId)}`,
      });
    case 'restored':
      return entry('profile_snapshot.restored', id, {
        ...payload,
        restored_from_snapshot: origin.snapshotId,
      });
    case 'imported':
      return entry('profile.imported', id, payload);
  }
}

/** `profile-<uuid>`: a browser identity that outlives its sessions, its present session, and the location of its state. */
export const profileEvents = category(
  'profile',
  {
    ProfileCreated: closed({
      ...of,
      name: Type.String(),
      archetype: Type.String(),
      description: nullable(Type.String()),
      /** The noise of canvas, audio and WebGL derives from it. Never changes; 16 bytes, base64url. */
      noiseSeed: Type.String(),
      origin: ProfileOrigin,
      /** The state of an imported profile. */
      state: nullable(SavedState),
    }),
    /** Not created in time, and never can be: its reservation may be released. */
    ProfileWithdrawn: closed(of),
    ProfileChanged: closed({
      ...of,
      changes: Type.Partial(closed({ name: Type.String(), description: nullable(Type.String()) })),
    }),
    ProfileTrashed: closed({ ...of, purgeAt: Timestamp }),
    ProfileRestored: closed(of),
    /** A reservation made for it at `since` was given to others: no request that relies on it can succeed any more. */
    ProfileReservationLapsed: closed({ ...of, since: Timestamp }),
    /** Permanent: its data key is destroyed afterwards. */
    ProfilePurged: closed({ ...of, cause: oneOf(['customer', 'retention', 'erasure']) }),
    /** From now on the session has the profile, with the state of this generation; null: no state yet. */
    ProfileBound: closed({ ...of, sessionId, generation: nullable(Type.Integer({ minimum: 1 })) }),
    /** The session released the profile without a save. */
    ProfileReleased: closed({ ...of, sessionId }),
    /** The session ended regularly. Its node may save its state until the lease expires. */
    StateSaveStarted: closed({ ...of, sessionId, leaseExpiresAt: Timestamp }),
    StateSaved: closed({ ...of, sessionId, state: SavedState, replaces }),
    /** The previous state stays. */
    StateSaveFailed: closed({
      ...of,
      sessionId,
      reason: oneOf(profileSaveFailures),
      /** A text of the service. */
      detail: Type.String(),
    }),
    ProfileTrimmed: closed({ ...of, state: SavedState, replaces, beforeBytes: Type.Integer({ minimum: 0 }) }),
    ProfileExported: closed({ ...of, bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() }),
    ProfileTransferOffered: closed({ ...of, toAccountId: idSchema('account'), expiresAt: Timestamp }),
    /** Recorded with `ProfileTransferred`, under the account that gave it away. */
    ProfileHandedOver: closed({ ...of, toAccountId: idSchema('account') }),
    /** `accountId`: the new owner; `bytes`: size of its stored state. */
    ProfileTransferred: closed({
      ...of,
      fromAccountId: idSchema('account'),
      bytes: Type.Integer({ minimum: 0 }),
      /** Unchanged, but sealed for the new owner. Absent in older events, which sealed nothing. */
      name: Type.Optional(Type.String()),
      description: Type.Optional(nullable(Type.String())),
    }),
  },
  {
    personal: {
      ProfileCreated: { name: '', description: null },
      ProfileChanged: { 'changes.name': '', 'changes.description': null },
      ProfileTransferred: { name: '', description: null },
    },
    audit: {
      ProfileCreated: ({ profileId: id, name, archetype, origin }) => created(id, name, archetype, origin),
      ProfileChanged: ({ profileId: id, changes }) => entry('profile.updated', id, changes),
      ProfileTrashed: ({ profileId: id, purgeAt }) => entry('profile.trashed', id, { purge_at: purgeAt }),
      ProfileRestored: ({ profileId: id }) => entry('profile.restored', id),
      ProfilePurged: ({ profileId: id, cause }) => ({
        ...entry('profile.purged', id, { cause }),
        ...(cause === 'retention' ? { bySystem: true as const } : {}),
      }),
      ProfileTrimmed: ({ profileId: id, beforeBytes, state }) =>
        entry('profile.trimmed', id, { before_bytes: beforeBytes, after_bytes: state.bytes }),
      ProfileExported: ({ profileId: id, bytes, sha256 }) =>
        entry('profile.exported', id, { byte_size: bytes, sha256 }),
      ProfileTransferOffered: ({ profileId: id, toAccountId, expiresAt }) =>
        entry('profile.transfer_offered', id, { to_account_id: toAccountId, expires_at: expiresAt }),
      ProfileHandedOver: ({ profileId: id, toAccountId }) =>
        entry('profile.handed_over', id, { to_account_id: toAccountId }),
      ProfileTransferred: ({ profileId: id, fromAccountId }) =>
        entry('profile.transferred', id, { from_account_id: fromAccountId }),
    },
    timers: {
      ProfileTrashed: timer.starts('profile_purge', 'purgeAt'),
      ProfileRestored: timer.ends('profile_purge'),
      ProfilePurged: timer.ends('profile_purge', 'profile_save_lease'),
      StateSaveStarted: timer.starts('profile_save_lease', 'leaseExpiresAt'),
      StateSaved: timer.ends('profile_save_lease'),
      StateSaveFailed: timer.ends('profile_save_lease'),
    },
  },
);
export type ProfileEvent = EventOf<typeof profileEvents>;

/** `account_profiles-<account uuid>`: names are unique within an account, without profiles in the trash. */
export const accountProfilesEvents = quotaEvents('account_profiles', 'ProfileQuota', 'profile');
