import type { ProfileOrigin } from '../events/profile.ts';
import { idSchema, type ProfileId, type ProfileSnapshotId } from '../ids.ts';
import { stateParts, type SavedState } from '../profile-state.ts';
import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { profileSaveFailures } from '../webhooks/event-types.ts';
import { textForms } from '../text-forms.ts';

/** Maximum code points. */
export const longestProfileName = 120;

const Name = Type.String({
  minLength: 1,
  maxLength: longestProfileName,
  pattern: textForms.notBlank.pattern,
});
const Description = nullable(Type.String({ maxLength: 2000 }));
const Label = Type.String({ maxLength: 200 });
const Passphrase = Type.String({ minLength: 1, maxLength: 1000 });

export const CreateProfile = requestBody({
  name: Name,
  archetype: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  description: Type.Optional(Description),
});

/** `archetype` may be repeated, but not changed. */
export const UpdateProfile = requestBody(Type.Partial(CreateProfile).properties);

export const saveStates = ['none', 'saved', 'saving', 'failed'] as const;

const shown = {
  id: idSchema('profile'),
  name: Type.String(),
  archetype: Type.String(),
  description: nullable(Type.String()),
  last_used_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Size of the sealed state; 0 without one. */
  storage_bytes: Type.Integer(),
  /** Outcome of the last save; `none` before the first. */
  save_state: oneOf(saveStates),
  /** Only if `save_state` is `failed`. The previous state remains. */
  save_error: Type.Optional(oneOf(profileSaveFailures)),
  cloned_from: nullable(idSchema('profile')),
  restored_from_snapshot: nullable(idSchema('profileSnapshot')),
};
export const Profile = closed(shown);
export type Profile = Static<typeof Profile>;
export const TrashedProfile = closed({ ...shown, trashed_at: Timestamp, purge_at: Timestamp });
export type TrashedProfile = Static<typeof TrashedProfile>;

export const ProfileFilter = {
  made_from: Type.Optional(
    Type.String({
      pattern: textForms.profileOrigin.pattern,
      description:
        'The id of a profile or a snapshot. Lists only the profiles that were cloned or restored directly from it.',
    }),
  ),
};

export const CloneProfile = requestBody({ name: Type.Optional(Name) });
export const LaunchProfile = requestBody({ label: Type.Optional(Label) });

export const ExportProfile = requestBody({ passphrase: Type.Optional(Passphrase) });
export const exportFormat = 'service-profile/1';
export const ExportedProfile = closed({
  format: Type.Literal(exportFormat),
  /** Base64 of the sealed file. */
  data: Type.String(),
  byte_size: Type.Integer(),
  /** Of the sealed file, hex. */
  sha256: Type.String(),
  /** Only if it was generated; shown this once. */
  passphrase: Type.Optional(Type.String()),
});
export const ImportProfile = requestBody({
  name: Name,
  data: Type.String({ minLength: 1 }),
  passphrase: Type.Optional(Passphrase),
});
export type ImportProfile = Static<typeof ImportProfile>;

export const TransferProfile = requestBody({ to_account_id: idSchema('account') });
/** `transferred` if the caller may act on both accounts; an offer expires at `expires_at`. */
export const Transfer = closed({
  id: idSchema('profile'),
  to_account_id: idSchema('account'),
  status: oneOf(['offered', 'transferred']),
  expires_at: nullable(Timestamp),
});
export type Transfer = Static<typeof Transfer>;

export const TrimProfile = requestBody({
  /** The parts to keep; default: all but caches and expired cookies. */
  keep: Type.Optional(Type.Array(oneOf(stateParts), { uniqueItems: true })),
  /** Keeps only data of these parts written within this many days. */
  older_than_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })),
});
export type TrimProfile = Static<typeof TrimProfile>;
export const Trimmed = closed({ before_bytes: Type.Integer(), after_bytes: Type.Integer() });
export type Trimmed = Static<typeof Trimmed>;

/** Maximum snapshots of a profile. */
export const snapshotsPerProfile = 50;
export const CaptureSnapshot = requestBody({
  label: Type.String({ minLength: 1, maxLength: 200, pattern: textForms.notBlank.pattern }),
  description: Type.Optional(Description),
});
export const RestoreSnapshot = requestBody({ name: Name });
export const ProfileSnapshot = closed({
  id: idSchema('profileSnapshot'),
  label: Type.String(),
  description: nullable(Type.String()),
  parent_archetype: Type.String(),
  parent_name: Type.String(),
  /** Null once the profile is purged. */
  parent_profile_id: nullable(idSchema('profile')),
  captured_at: Timestamp,
  state_blob: Type.Literal(''),
});
export type ProfileSnapshot = Static<typeof ProfileSnapshot>;

/** Presents a profile from its state. */
interface StoredProfile {
  readonly profileId: ProfileId;
  readonly name: string;
  readonly archetype: string;
  readonly description: string | null;
  readonly origin: ProfileOrigin;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsedAt: string | null;
  readonly use: { readonly kind: string };
  readonly state: SavedState | null;
  readonly saveFailure: { readonly reason: NonNullable<Profile['save_error']> } | null;
}

export function presentProfile(stored: StoredProfile): Profile {
  const { use, state, saveFailure, origin } = stored;
  const ended = saveFailure === null ? (state === null ? 'none' : 'saved') : 'failed';
  const save_state = use.kind === 'saving' ? 'saving' : ended;
  return {
    id: stored.profileId,
    name: stored.name,
    archetype: stored.archetype,
    description: stored.description,
    last_used_at: stored.lastUsedAt,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
    storage_bytes: state?.bytes ?? 0,
    save_state,
    ...(save_state === 'failed' && saveFailure !== null && { save_error: saveFailure.reason }),
    cloned_from: origin.kind === 'cloned' ? origin.profileId : null,
    restored_from_snapshot: origin.kind === 'restored' ? origin.snapshotId : null,
  };
}

export const presentTrashed = (
  stored: StoredProfile & { readonly trashedAt: string; readonly purgeAt: string },
): TrashedProfile => ({
  ...presentProfile(stored),
  trashed_at: stored.trashedAt,
  purge_at: stored.purgeAt,
});

interface StoredSnapshot {
  readonly snapshotId: ProfileSnapshotId;
  readonly label: string;
  readonly description: string | null;
  readonly parentArchetype: string;
  readonly parentName: string;
  readonly profileId: ProfileId | null;
  readonly capturedAt: string;
}

export const presentSnapshot = (stored: StoredSnapshot): ProfileSnapshot => ({
  id: stored.snapshotId,
  label: stored.label,
  description: stored.description,
  parent_archetype: stored.parentArchetype,
  parent_name: stored.parentName,
  parent_profile_id: stored.profileId,
  captured_at: stored.capturedAt,
  state_blob: '',
});
