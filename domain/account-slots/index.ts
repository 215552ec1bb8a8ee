import { accountSlotsEvents, type AccountSlotsEvent } from '../../contracts/events/account-slots.ts';
import type { AccountId, Id, SessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../decider.ts';

/** One of the account's concurrent slots, held from reservation until its session's end. */
export interface Slot {
  readonly sessionId: SessionId;
  readonly profileId: Id<'profile'> | null;
  /** ISO 8601: when a reservation whose session was never requested is given back. */
  readonly leaseExpiresAt: string;
}

export interface AccountSlots {
  readonly slots: readonly Slot[];
}

export interface ReserveSlot {
  readonly type: 'ReserveSlot';
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly profileId: Id<'profile'> | null;
  /** How many slots the account may hold at once. */
  readonly limit: number;
  readonly leaseExpiresAt: string;
  readonly at: string;
}

export interface ReleaseSlot {
  readonly type: 'ReleaseSlot';
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly at: string;
}

export type AccountSlotsCommand = ReserveSlot | ReleaseSlot;

/** The concurrency cap, and one live session per profile, atomically per account. */
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

function reserveSlot(
  { slots }: AccountSlots,
  { type: _, limit, ...data }: ReserveSlot,
): readonly AccountSlotsEvent[] {
  if (slots.some(({ sessionId }) => sessionId === data.sessionId)) return [];
  const holder = slots.find(({ profileId }) => profileId !== null && profileId === data.profileId);
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
  return [{ type: 'SlotReserved', data }];
}

function releaseSlot(
  { slots }: AccountSlots,
  { type: _, ...data }: ReleaseSlot,
): readonly AccountSlotsEvent[] {
  const held = slots.some(({ sessionId }) => sessionId === data.sessionId);
  return held ? [{ type: 'SlotReleased', data }] : [];
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

/** The due time a reservation sets, in the form of `domain/session`'s timers. */
export function slotTimers(
  event: AccountSlotsEvent,
): readonly { readonly id: string; readonly dueAt: string }[] {
  switch (event.type) {
    case 'SlotReserved':
      return [{ id: `slot_lease-${event.data.sessionId}`, dueAt: event.data.leaseExpiresAt }];
    case 'SlotReleased':
      return [];
  }
}
