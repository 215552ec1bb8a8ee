import { profileEvents, type ProfileEvent } from '../../contracts/events/profile.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { SavedState } from '../../contracts/profile-state.ts';
import { refuse, refuseForNow } from '../../contracts/problems.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from '../kit/decider.ts';
import { assertReserved, newerLapse, tooLate } from '../kit/record.ts';
import { isBefore } from '../kit/time.ts';
import {
  evolve,
  isPresent,
  type ActiveProfile,
  type PresentProfile,
  type Profile,
  type Recorded,
  type SaveFailure,
} from './state.ts';

type Command = CommandsOf<{
  CreateProfile: Omit<Recorded<'ProfileCreated'>, 'at'>;
  WithdrawProfile: Omit<Recorded<'ProfileWithdrawn'>, 'at'>;
  /** `reservedAt`: time of the reservation of a new name. */
  ChangeProfile: { changes: Recorded<'ProfileChanged'>['changes']; reservedAt?: string | undefined };
  TrashProfile: { purgeAt: string };
  /** `reservedAt`: time of the reservation of its name and share. */
  RestoreProfile: { reservedAt: string | undefined };
  /** No request with a reservation made at `since` or before may succeed any more. */
  LapseReservation: { since: string };
  /** Purges a profile in the trash; `retention`: only after the retention time. */
  PurgeProfile: { cause: Recorded<'ProfilePurged'>['cause'] };
  BindProfile: { sessionId: SessionId };
  ReleaseProfile: { sessionId: SessionId };
  StartSave: { sessionId: SessionId; leaseExpiresAt: string };
  SaveState: { sessionId: SessionId; state: SavedState };
  FailSave: { sessionId: SessionId } & SaveFailure;
  ExpireSave: unknown;
  /** `of`: the trimmed generation. */
  TrimProfile: { of: number; state: SavedState };
  RecordExport: { bytes: number; sha256: string };
  OfferTransfer: { toAccountId: AccountId; expiresAt: string };
  /** Accepted by the account that it was offered to, where this name and its share were reserved at `reservedAt`. */
  AcceptTransfer: { accountId: AccountId; name: string; reservedAt: string | undefined };
}>;

/** `owner`: refused, as on an unknown profile, if it belongs to another account by now; default: whoever owns it. */
export type ProfileCommand = Command & { readonly owner?: AccountId };

const rules: Rules<Profile, ProfileCommand, ProfileEvent> = {
  CreateProfile(state, { type: _, ...data }) {
    if (state.status === 'withdrawn') throw tooLate();
    return state.status === 'none' ? [{ type: 'ProfileCreated', data }] : [];
  },
  WithdrawProfile(state, { type: _, ...data }) {
    return state.status === 'none' ? [{ type: 'ProfileWithdrawn', data }] : [];
  },
  ChangeProfile(state, { changes, reservedAt, at }) {
    const profile = active(state);
    const { name = profile.name, description = profile.description } = changes;
    const differing = {
      ...(name === profile.name ? {} : { name }),
      ...(description === profile.description ? {} : { description }),
    };
    if (Object.keys(differing).length === 0) return [];
    if ('name' in differing) assertReserved(profile.lapsed, reservedAt);
    return [{ type: 'ProfileChanged', data: { ...of(profile, at), changes: differing } }];
  },
  /**
   * Refuses a profile with a live session. A profile that is being saved is moved to the trash: its save continues
   * there.
   */
  TrashProfile(state, { purgeAt, at }) {
    const profile = present(state);
    if (profile.status === 'trashed') return [];
    if (profile.use.kind === 'live') assertFree(profile);
    return [{ type: 'ProfileTrashed', data: { ...of(profile, at), purgeAt } }];
  },
  RestoreProfile(state, { reservedAt, at }) {
    const profile = present(state);
    if (profile.status !== 'trashed') return [];
    assertReserved(profile.lapsed, reservedAt);
    return [{ type: 'ProfileRestored', data: of(profile, at) }];
  },
  LapseReservation(state, { since, at }) {
    if (!isPresent(state) || state.lapsed === newerLapse(state.lapsed, since)) return [];
    return [{ type: 'ProfileReservationLapsed', data: { ...of(state, at), since } }];
  },
  PurgeProfile(state, { cause, at }) {
    if (state.status === 'purged') return [];
    const profile = present(state);
    const purged: readonly ProfileEvent[] = [{ type: 'ProfilePurged', data: { ...of(profile, at), cause } }];
    if (cause === 'erasure') return purged;
    if (profile.status === 'trashed')
      return cause === 'retention' && isBefore(at, profile.purgeAt) ? [] : purged;
    if (cause === 'retention') return [];
    throw refuse('conflict', 'Only a profile in the trash can be purged. Delete it first.');
  },
  /** Decides which of several concurrent launches gets the profile. */
  BindProfile(state, { sessionId, at }) {
    const profile = active(state);
    if (profile.use.kind !== 'free' && profile.use.sessionId === sessionId) return [];
    const { state: saved } = assertFree(profile);
    const data = { ...of(profile, at), sessionId, generation: saved?.generation ?? null };
    return [{ type: 'ProfileBound', data }];
  },
  ReleaseProfile(state, { sessionId, at }) {
    if (!isLiveIn(state, sessionId)) return [];
    return [{ type: 'ProfileReleased', data: { ...of(state, at), sessionId } }];
  },
  StartSave(state, { sessionId, leaseExpiresAt, at }) {
    if (!isLiveIn(state, sessionId)) return [];
    return [{ type: 'StateSaveStarted', data: { ...of(state, at), sessionId, leaseExpiresAt } }];
  },
  /** Does nothing after the lease of the save, or if a newer state is recorded. */
  SaveState(state, { sessionId, state: saved, at }) {
    if (isPresent(state) && state.state?.blob === saved.blob) return [];
    if (!isSavedBy(state, sessionId) || saved.generation !== (state.use.generation ?? 0) + 1)
      throw refuse('conflict', 'The profile has a newer state, or expects none from this session.');
    const replaces = state.state?.blob ?? null;
    return [{ type: 'StateSaved', data: { ...of(state, at), sessionId, state: saved, replaces } }];
  },
  FailSave(state, { sessionId, reason, detail, at }) {
    if (!isSavedBy(state, sessionId)) return [];
    return [{ type: 'StateSaveFailed', data: { ...of(state, at), sessionId, reason, detail } }];
  },
  ExpireSave(state, { at }) {
    if (!isPresent(state) || state.use.kind !== 'saving' || isBefore(at, state.use.leaseExpiresAt)) return [];
    const { sessionId } = state.use;
    const failure = { reason: 'upload_failed', detail: 'The state did not arrive in time.' } as const;
    return [{ type: 'StateSaveFailed', data: { ...of(state, at), sessionId, ...failure } }];
  },
  TrimProfile(state, { of: generation, state: saved, at }) {
    const profile = assertFree(active(state));
    if (profile.state?.blob === saved.blob) return [];
    if (profile.state?.generation !== generation)
      throw refuse('conflict', 'The profile was saved while it was being trimmed. Trim it again.');
    const { bytes: beforeBytes, blob: replaces } = profile.state;
    return [{ type: 'ProfileTrimmed', data: { ...of(profile, at), state: saved, replaces, beforeBytes } }];
  },
  RecordExport(state, { bytes, sha256, at }) {
    return [{ type: 'ProfileExported', data: { ...of(assertFree(active(state)), at), bytes, sha256 } }];
  },
  /** Replaces the previous offer. */
  OfferTransfer(state, { toAccountId, expiresAt, at }) {
    const profile = assertFree(active(state));
    const { offer } = profile;
    if (offer?.toAccountId === toAccountId && offer.expiresAt === expiresAt) return [];
    return [{ type: 'ProfileTransferOffered', data: { ...of(profile, at), toAccountId, expiresAt } }];
  },
  AcceptTransfer(state, { accountId, name, reservedAt, at }) {
    const profile = active(state);
    if (hasReceived(profile, accountId)) return [];
    if (!isOffered(profile, accountId, at)) throw refuse('not-found', 'There is no such offer.');
    if (profile.name !== name)
      throw refuse('conflict', 'The profile was renamed while it was being accepted. Accept it again.');
    assertReserved(profile.lapsed, reservedAt);
    const { profileId, accountId: fromAccountId, state: saved, description } = assertFree(profile);
    const data = { profileId, accountId, fromAccountId, bytes: saved?.bytes ?? 0, name, description, at };
    // A snapshot is sealed for the account of the last event, so the new owner's comes last.
    return [
      { type: 'ProfileHandedOver', data: { ...of(profile, at), toAccountId: accountId } },
      { type: 'ProfileTransferred', data },
    ];
  },
};

/**
 * A browser identity.
 *
 * | status  | event            | next      |
 * |---------|------------------|-----------|
 * | none    | ProfileCreated   | active    |
 * | none    | ProfileWithdrawn | withdrawn |
 * | active  | ProfileTrashed   | trashed   |
 * | trashed | ProfileRestored  | active    |
 * | any     | ProfilePurged    | purged    |
 *
 * While it is active, sessions use it one at a time; a save continues in the trash:
 *
 * | use    | event                       | next   |
 * |--------|-----------------------------|--------|
 * | free   | ProfileBound                | live   |
 * | live   | ProfileReleased             | free   |
 * | live   | StateSaveStarted            | saving |
 * | saving | StateSaved, StateSaveFailed | free   |
 *
 * - A state replaces only the one that its session was launched with.
 * - It is not trashed while its session lives, and not trimmed, exported or transferred until that is saved.
 * - A request of an account changes nothing once the profile was transferred to another.
 */
export const profile: Decider<Profile, ProfileCommand, ProfileEvent> = {
  category: profileEvents,
  initialState: { status: 'none' },
  decide(command, state) {
    const { owner } = command;
    if (owner !== undefined && isPresent(state) && state.accountId !== owner) throw noSuchProfile();
    return decideBy(rules)(command, state);
  },
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

const of = ({ profileId, accountId }: PresentProfile, at: string) => ({ profileId, accountId, at });

const noSuchProfile = () => refuse('not-found', 'There is no such profile.');

function present(state: Profile): PresentProfile {
  if (isPresent(state)) return state;
  throw noSuchProfile();
}

function active(state: Profile): ActiveProfile {
  if (state.status === 'active') return state;
  throw noSuchProfile();
}

/** Returns the profile; refuses with the id of its session if it is in use. */
export function assertFree(profile: ActiveProfile): ActiveProfile {
  const { use } = profile;
  if (use.kind === 'free') return profile;
  const holder = { active_session_id: use.sessionId };
  if (use.kind === 'live') throw refuse('profile-in-use', 'The profile has a live session.', holder);
  throw refuseForNow('profile-in-use', 'The profile is being saved. Try again in a moment.', holder);
}

const isLiveIn = (state: Profile, sessionId: SessionId): state is PresentProfile =>
  isPresent(state) && state.use.kind === 'live' && state.use.sessionId === sessionId;

const isSavedBy = (
  state: Profile,
  sessionId: SessionId,
): state is PresentProfile & { readonly use: { readonly kind: 'saving' } } =>
  isPresent(state) && state.use.kind === 'saving' && state.use.sessionId === sessionId;

/** True if the profile is offered to the account and the offer has not expired. */
export const isOffered = ({ offer }: ActiveProfile, accountId: AccountId, at: string): boolean =>
  offer?.toAccountId === accountId && isBefore(at, offer.expiresAt);

/** True if the account has accepted the transfer and the profile has not been offered since. */
export const hasReceived = (profile: ActiveProfile, accountId: AccountId): boolean =>
  profile.accountId === accountId && profile.receivedFrom !== null && profile.offer === null;
