import { accountSlotsEvents, type AccountSlotsEvent } from '../contracts/events/account-slots.ts';
import type { AccountId, Id, SessionId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Command, Decider } from './kit/decider.ts';

/** One of the account's concurrent slots, held from its reservation to the end of its session. */
export interface Slot {
  readonly sessionId: SessionId;
  readonly profileId: Id<'profile'> | null;
  /** ISO 8601. A reservation whose session was not requested by then is released. */
  readonly leaseExpiresAt: string;
}

export interface AccountSlots {
  readonly slots: readonly Slot[];
}

export type ReserveSlot = Command<
  'ReserveSlot',
  {
    accountId: AccountId;
    sessionId: SessionId;
    profileId: Id<'profile'> | null;
    /** How many slots the account may hold at once. */
    limit: number;
    leaseExpiresAt: string;
  }
>;
export type ReleaseSlot = Command<'ReleaseSlot', { accountId: AccountId; sessionId: SessionId }>;
export type AccountSlotsCommand = ReserveSlot | ReleaseSlot;

/**
 * The account's concurrent sessions.
 *
 * - An account never holds more slots than its limit, whoever reserves them at the same time: all append to one stream.
 * - At most one slot has a given profile, so that no profile is open in two live sessions.
 * - Reserving or releasing the same session's slot again does nothing.
 */
export const accountSlots: Decider<AccountSlots, AccountSlotsCommand, AccountSlotsEvent> = {
  category: accountSlotsEvents,
  initialState: { slots: [] },
  decide: (command, state) => {
    switch (command.type) {
      case 'ReserveSlot':
        return reserveSlot(state, command);
      case 'ReleaseSlot':
        return releaseSlot(state, command);
    }
  },
  evolve,
  snapshotEvery: 200,
};

function reserveSlot({ slots }: AccountSlots, command: ReserveSlot): readonly AccountSlotsEvent[] {
  const { accountId, sessionId, profileId, limit, leaseExpiresAt, at } = command;
  if (slots.some((slot) => slot.sessionId === sessionId)) return [];
  const holder = slots.find((slot) => slot.profileId !== null && slot.profileId === profileId);
  if (holder !== undefined) {
    throw refuse('profile-in-use', 'The profile has a live session.', {
      active_session_id: holder.sessionId,
    });
  }
  if (slots.length >= limit) {
    throw refuse('concurrency-limit', 'Every concurrent session of the account is in use.', {
      current_sessions: slots.length,
      limit,
    });
  }
  return [{ type: 'SlotReserved', data: { accountId, sessionId, profileId, leaseExpiresAt, at } }];
}

function releaseSlot({ slots }: AccountSlots, command: ReleaseSlot): readonly AccountSlotsEvent[] {
  const { accountId, sessionId, at } = command;
  const isHeld = slots.some((slot) => slot.sessionId === sessionId);
  return isHeld ? [{ type: 'SlotReleased', data: { accountId, sessionId, at } }] : [];
}

function evolve({ slots }: AccountSlots, event: AccountSlotsEvent): AccountSlots {
  const others = slots.filter(({ sessionId }) => sessionId !== event.data.sessionId);
  switch (event.type) {
    case 'SlotReserved': {
      const { sessionId, profileId, leaseExpiresAt } = event.data;
      return { slots: [...others, { sessionId, profileId, leaseExpiresAt }] };
    }
    case 'SlotReleased':
      return { slots: others };
  }
}
