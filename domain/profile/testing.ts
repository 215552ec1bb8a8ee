import type { ProfileEvent } from '../../contracts/events/profile.ts';
import { toId } from '../../contracts/ids.ts';
import type { SavedState } from '../../contracts/profile-state.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import type { ProfileCommand } from './profile.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const profileId = toId('profile', uuid(1));
export const accountId = toId('account', uuid(2));
export const otherAccount = toId('account', uuid(3));
export const sessionId = toId('session', uuid(4));
export const otherSession = toId('session', uuid(5));
export const at = '2026-01-05T12:00:00.000Z';
export const leaseExpiresAt = '2026-01-05T12:05:00.000Z';
export const expiresAt = '2026-01-12T12:00:00.000Z';
export const purgeAt = '2026-02-04T12:00:00.000Z';

const of = { profileId, accountId };
const created = {
  ...of,
  name: 'Work',
  archetype: 'iphone-15',
  description: null,
  noiseSeed: 'AAAAAAAAAAAAAAAAAAAAAA',
  origin: { kind: 'created' },
  state: null,
} as const;

const noParts = {
  cookies: 0,
  local_storage: 0,
  session_storage: 0,
  indexeddb: 0,
  service_workers: 0,
  cache: 0,
};

/** A saved state of the given generation. */
export const savedState = (generation: number, bytes = 1000 * generation): SavedState => ({
  generation,
  blob: `${uuid(1)}/${generation}`,
  bytes,
  sha256: 'ab',
  sealedKey: 'sealed1.AAAA',
  census: { cookies: 1, origins: 1, parts: noParts },
});

/** A first state, recorded by a save or a trim. */
const first = { state: savedState(1), replaces: null };
const failure = { reason: 'too_large', detail: 'It is over the limit.' } as const;

export const events = eventBuilders<ProfileEvent>({
  ProfileCreated: { ...created, at },
  ProfileWithdrawn: { ...of, at },
  ProfileChanged: { ...of, changes: { name: 'Office' }, at },
  ProfileTrashed: { ...of, purgeAt, at },
  ProfileRestored: { ...of, at },
  ProfileReservationLapsed: { ...of, since: at, at },
  ProfilePurged: { ...of, cause: 'customer', at },
  ProfileBound: { ...of, sessionId, generation: null, at },
  ProfileReleased: { ...of, sessionId, at },
  StateSaveStarted: { ...of, sessionId, leaseExpiresAt, at },
  StateSaved: { ...of, sessionId, ...first, at },
  StateSaveFailed: { ...of, sessionId, ...failure, at },
  ProfileTrimmed: { ...of, ...first, beforeBytes: 0, at },
  ProfileExported: { ...of, bytes: 10, sha256: 'ab', at },
  ProfileTransferOffered: { ...of, toAccountId: otherAccount, expiresAt, at },
  ProfileHandedOver: { ...of, toAccountId: otherAccount, at },
  ProfileTransferred: {
    ...{ profileId, accountId: otherAccount, fromAccountId: accountId, bytes: 0 },
    ...{ name: created.name, description: created.description, at },
  },
});

export const commands = commandBuilders<ProfileCommand>({
  CreateProfile: { ...created, at },
  WithdrawProfile: { ...of, at },
  ChangeProfile: { changes: { name: 'Office' }, at },
  TrashProfile: { purgeAt, at },
  RestoreProfile: { reservedAt: at, at },
  LapseReservation: { since: at, at },
  PurgeProfile: { cause: 'customer', at },
  BindProfile: { sessionId, at },
  ReleaseProfile: { sessionId, at },
  StartSave: { sessionId, leaseExpiresAt, at },
  SaveState: { sessionId, state: savedState(1), at },
  FailSave: { sessionId, ...failure, at },
  ExpireSave: { at: leaseExpiresAt },
  TrimProfile: { of: 1, state: savedState(2), at },
  RecordExport: { bytes: 10, sha256: 'ab', at },
  OfferTransfer: { toAccountId: otherAccount, expiresAt, at },
  AcceptTransfer: { accountId: otherAccount, name: created.name, reservedAt: at, at },
});
