import { accountSlotsEvents, type AccountSlotsEvent } from '../../contracts/events/account-slots.ts';
import type { AccountId, Id, SessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';

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
