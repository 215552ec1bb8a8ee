import { hourMs } from '../../contracts/durations.ts';
import { profileEvents } from '../../contracts/events/profile.ts';
import { toId, type AccountId, type ProfileId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { readModel } from '../engine/read-model.ts';
import { column, textOf } from '../engine/table.ts';

/** Sealed bytes of a profile, and its account, from the event on. */
interface Held {
  readonly profileId: ProfileId;
  readonly accountId: AccountId;
  readonly at: string;
}

const hourOf = (at: string): string => new Date(Math.floor(Date.parse(at) / hourMs) * hourMs).toISOString();

const held = ({ profileId, accountId, at }: Held, bytes: number) => ({
  id: idOf(profileId, at),
  profile_id: profileId,
  account_id: accountId,
  hour: hourOf(at),
  bytes: String(bytes),
});

const idOf = (profileId: string, at: string): string => `${profileId} ${hourOf(at)}`;

/** Stored bytes of each profile at the end of every hour with a change; valid until its next row. */
export const profileStorage = readModel('profile_storage', {
  of: profileEvents,
  id: ({ stream, data }: RecordedEvent & { readonly data: { readonly at: string } }) =>
    idOf(toId('profile', stream.slice(profileEvents.name.length + 1)), data.at),
  columns: {
    id: column.text,
    profile_id: textOf<ProfileId>(),
    account_id: textOf<AccountId>(),
    hour: column.time,
    bytes: column.bigint,
  },
  /** For the profiles of an account with any storage; the history of a profile. */
  indexes: ['(account_id, profile_id)', '(profile_id, hour)'],
  concernsOthers: true,
  handlers: 1,
  creates: {
    ProfileCreated: ({ data }) => held(data, data.state?.bytes ?? 0),
    StateSaved: ({ data }) => held(data, data.state.bytes),
    ProfileTrimmed: ({ data }) => held(data, data.state.bytes),
    ProfileTransferred: ({ data }) => held(data, data.bytes),
    ProfilePurged: ({ data }) => held(data, 0),
  },
});
