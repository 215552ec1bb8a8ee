import { profileSaveFailures } from '../webhooks/event-types.ts';
import { SavedState } from '../profile-state.ts';
import { quotaEvents } from '../record.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema, uuidOf } from '../ids.ts';
import { category, entryOn, timersOn, type AuditedAction, type EventOf } from './catalogue.ts';

const of = { profileId: idSchema('profile'), accountId: idSchema('account'), at: Timestamp };
const sessionId = idSchema('session');
/** The blob of the previous state, which is unused from then on. */
const replaces = nullable(Type.String());
const entry = entryOn('profile');
const timer = timersOn('profileId');

/** What a profile was made from. */
export const ProfileOrigin = Type.Union([
  closed({ kind: Type.Literal('created') }),
  closed({ kind: Type.Literal('cloned'), profileId: idSchema('profile') }),
  closed({ kind: Type.Literal('restored'), snapshotId: idSchema('profileSnapshot') }),
  closed({ kind: Type.Literal('imported') }),
]);
export type ProfileOrigin = Static<typeof ProfileOrigin>;

/** The entry of a profile's creation, which says where it comes from. */
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

/** `profile-<uuid>`: a browser identity that outlives its sessions, which of them has it, and where its state is. */
export const profileEvents = category(
  'profile',
  {
    ProfileCreated: closed({
      ...of,
      name: Type.String(),
      archetype: Type.String(),
      description: nullable(Type.String()),
      /** What the noise of canvas, audio and WebGL derives from, for as long as the profile lives. 16 bytes, base64url. */
      noiseSeed: Type.String(),
      origin: ProfileOrigin,
      /** Of an imported profile: the state that came with it. */
      state: nullable(SavedState),
    }),
    /** The profile was not created in time and never can be: its reservation may be released. */
    ProfileWithdrawn: closed(of),
    ProfileChanged: closed({
      ...of,
      changes: Type.Partial(closed({ name: Type.String(), description: nullable(Type.String()) })),
    }),
    ProfileTrashed: closed({ ...of, purgeAt: Timestamp }),
    ProfileRestored: closed(of),
    /** For good: its data key is destroyed after this. */
    ProfilePurged: closed({ ...of, cause: oneOf(['customer', 'retention', 'erasure']) }),
    /** From here on the session has the profile, with the state of this generation; null: there was none yet. */
    ProfileBound: closed({ ...of, sessionId, generation: nullable(Type.Integer({ minimum: 1 })) }),
    /** The session released the profile and saves nothing. */
    ProfileReleased: closed({ ...of, sessionId }),
    /** The session ended well. Its node has until then to save what it left. */
    StateSaveStarted: closed({ ...of, sessionId, leaseExpiresAt: Timestamp }),
    StateSaved: closed({ ...of, sessionId, state: SavedState, replaces }),
    /** The state before stays. */
    StateSaveFailed: closed({
      ...of,
      sessionId,
      reason: oneOf(profileSaveFailures),
      /** Our own words. */
      detail: Type.String(),
    }),
    ProfileTrimmed: closed({ ...of, state: SavedState, replaces, beforeBytes: Type.Integer({ minimum: 0 }) }),
    ProfileExported: closed({ ...of, bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() }),
    ProfileTransferOffered: closed({ ...of, toAccountId: idSchema('account'), expiresAt: Timestamp }),
    /** `accountId`: whose it is from here on; `bytes`: what is stored of it. */
    ProfileTransferred: closed({
      ...of,
      fromAccountId: idSchema('account'),
      bytes: Type.Integer({ minimum: 0 }),
      /** As they were: sealed anew, for the account that has it now. Absent in older events, which sealed nothing. */
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
      ProfileTransferred: ({ profileId: id, fromAccountId }) =>
        entry('profile.transferred', id, { from_account_id: fromAccountId }),
    },
    timers: {
      ProfileTrashed: timer.starts('profile_purge', 'purgeAt'),
      ProfileRestored: timer.ends('profile_purge'),
      ProfilePurged: timer.ends('profile_purge'),
      StateSaveStarted: timer.starts('profile_save_lease', 'leaseExpiresAt'),
      StateSaved: timer.ends('profile_save_lease'),
      StateSaveFailed: timer.ends('profile_save_lease'),
    },
  },
);
export type ProfileEvent = EventOf<typeof profileEvents>;

/** `account_profiles-<account uuid>`: names are unique in an account, and a profile in the trash has none. */
export const accountProfilesEvents = quotaEvents('account_profiles', 'ProfileQuota', 'profile');
