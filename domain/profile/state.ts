import type { ProfileEvent } from '../../contracts/events/profile.ts';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { SavedState } from '../../contracts/profile-state.ts';
import type { DataOf } from '../kit/decider.ts';
import { newerLapse } from '../kit/record.ts';

export type Recorded<Type extends ProfileEvent['type']> = DataOf<ProfileEvent, Type>;

/** The use of the profile: free, live in a session, or being saved after one. */
export type Use =
  | { readonly kind: 'free' }
  | { readonly kind: 'live'; readonly sessionId: SessionId; readonly generation: number | null }
  | {
      readonly kind: 'saving';
      readonly sessionId: SessionId;
      readonly generation: number | null;
      readonly leaseExpiresAt: string;
    };

export type SaveFailure = Pick<Recorded<'StateSaveFailed'>, 'reason' | 'detail'>;

export interface TransferOffer {
  readonly toAccountId: AccountId;
  readonly expiresAt: string;
}

interface ProfileFacts extends Readonly<
  Pick<
    Recorded<'ProfileCreated'>,
    'profileId' | 'accountId' | 'name' | 'archetype' | 'description' | 'noiseSeed' | 'origin'
  >
> {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsedAt: string | null;
  readonly use: Use;
  /** The newest state. A purged profile keeps it, so that its blob can be found and deleted. */
  readonly state: SavedState | null;
  /** The session that saved last, so that its repeated request is recognised. */
  readonly savedBy: SessionId | null;
  /** The last save's failure; null after a success. */
  readonly saveFailure: SaveFailure | null;
  readonly offer: TransferOffer | null;
  /** The owner before its last transfer. */
  readonly receivedFrom: AccountId | null;
  /** Null unless it is in the trash. */
  readonly purgeAt: string | null;
  /** When its newest lapsed reservation was made; absent if none has lapsed. */
  readonly lapsed?: string;
}

export type ActiveProfile = ProfileFacts & { readonly status: 'active' };
export type TrashedProfile = ProfileFacts & {
  readonly status: 'trashed';
  readonly trashedAt: string;
  readonly purgeAt: string;
};
/** Unknown to everyone: without its texts. */
export type PurgedProfile = ProfileFacts & { readonly status: 'purged' };
/** A profile that its owner can see. */
export type PresentProfile = ActiveProfile | TrashedProfile;
export type ExistingProfile = PresentProfile | PurgedProfile;
export type Profile = { readonly status: 'none' } | { readonly status: 'withdrawn' } | ExistingProfile;

export const isPresent = (state: Profile): state is PresentProfile =>
  state.status === 'active' || state.status === 'trashed';

const free: Use = { kind: 'free' };

export function evolve(state: Profile, event: ProfileEvent): Profile {
  if (state.status === 'none') return begin(state, event);
  if (!isPresent(state) || event.type === 'ProfileHandedOver') return state;
  if (event.type !== 'ProfileReservationLapsed') return advance(state, event);
  return { ...state, lapsed: newerLapse(state.lapsed, event.data.since) };
}

function begin(state: Profile, event: ProfileEvent): Profile {
  if (event.type === 'ProfileWithdrawn') return { status: 'withdrawn' };
  if (event.type !== 'ProfileCreated') return state;
  const { at, ...facts } = event.data;
  return {
    ...facts,
    status: 'active',
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
    use: free,
    savedBy: null,
    saveFailure: null,
    offer: null,
    receivedFrom: null,
    purgeAt: null,
  };
}

function advance(
  state: PresentProfile,
  event: Exclude<ProfileEvent, { type: 'ProfileReservationLapsed' | 'ProfileHandedOver' }>,
): Profile {
  if (isUse(event)) return used(state, event);
  const next: PresentProfile = { ...state, updatedAt: event.data.at };
  switch (event.type) {
    case 'ProfileCreated':
    case 'ProfileWithdrawn':
    case 'ProfileExported':
      return state;
    case 'ProfileChanged':
      return { ...next, ...event.data.changes };
    case 'ProfileTrashed': {
      const { purgeAt, at } = event.data;
      return { ...next, status: 'trashed', trashedAt: at, purgeAt, offer: null };
    }
    case 'ProfileRestored':
      return { ...next, status: 'active', purgeAt: null };
    case 'ProfilePurged':
      return { ...next, status: 'purged', purgeAt: null, name: '', description: null };
    case 'ProfileTransferOffered': {
      const { toAccountId, expiresAt } = event.data;
      return { ...next, offer: { toAccountId, expiresAt } };
    }
    case 'ProfileTransferred': {
      const { accountId, fromAccountId: receivedFrom, at: _at, bytes: _bytes, ...called } = event.data;
      return { ...next, ...called, accountId, receivedFrom, offer: null };
    }
    case 'ProfileTrimmed':
      return { ...next, state: event.data.state };
  }
}

type UseEvent = Extract<ProfileEvent, { data: { readonly sessionId: SessionId } }>;
const isUse = (event: ProfileEvent): event is UseEvent => 'sessionId' in event.data;

/** A launch is a change of the profile; releases and saves leave `updatedAt` as it is. */
function used(state: PresentProfile, { type, data }: UseEvent): PresentProfile {
  const { use } = state;
  switch (type) {
    case 'ProfileBound': {
      const { sessionId, generation, at } = data;
      return { ...state, use: { kind: 'live', sessionId, generation }, lastUsedAt: at, updatedAt: at };
    }
    case 'ProfileReleased':
      return { ...state, use: free };
    case 'StateSaveStarted': {
      if (use.kind !== 'live') return state;
      const { sessionId, leaseExpiresAt } = data;
      return { ...state, use: { kind: 'saving', sessionId, generation: use.generation, leaseExpiresAt } };
    }
    case 'StateSaved':
      return { ...state, use: free, state: data.state, savedBy: data.sessionId, saveFailure: null };
    case 'StateSaveFailed': {
      const { reason, detail } = data;
      return { ...state, use: free, saveFailure: { reason, detail } };
    }
  }
}
