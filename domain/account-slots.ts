import { accountSlotsEvents, type AccountSlotsEvent } from '../contracts/events/account-slots.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

type Reserved = DataOf<AccountSlotsEvent, 'SlotReserved'>;
type Released = DataOf<AccountSlotsEvent, 'SlotReleased'>;

/** One of the account's concurrent slots, held from its reservation to the end of its session. */
export type Slot = Readonly<Omit<Reserved, 'accountId' | 'at'>>;

export interface AccountSlots {
  readonly slots: readonly Slot[];
}

export type AccountSlotsCommand = CommandsOf<{
  /** `limit`: maximum number of slots the account may hold. */
  ReserveSlot: Reserved & { limit: number };
  ReleaseSlot: Omit<Released, 'at'>;
}>;

const rules: Rules<AccountSlots, AccountSlotsCommand, AccountSlotsEvent> = {
  ReserveSlot({ slots }, { accountId, sessionId, profileId, limit, leaseExpiresAt, at }) {
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
  },
  ReleaseSlot({ slots }, { type: _, ...data }) {
    const isHeld = slots.some(({ sessionId }) => sessionId === data.sessionId);
    return isHeld ? [{ type: 'SlotReleased', data }] : [];
  },
};

/**
 * The account's concurrent sessions.
 *
 * - An account never holds more slots than its limit: concurrent reservations append to one stream.
 * - At most one slot has a given profile, so that no profile is open in two live sessions.
 * - Reserving or releasing the same session's slot again does nothing.
 */
export const accountSlots: Decider<AccountSlots, AccountSlotsCommand, AccountSlotsEvent> = {
  category: accountSlotsEvents,
  initialState: { slots: [] },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
};

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
