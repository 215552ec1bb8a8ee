import { Timestamp, closed, nullable } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

/**
 * `account_slots-<account uuid>`: who holds the account's concurrent slots. The cap, and one live session per
 * profile, are decided here and nowhere else.
 */
export const accountSlotsEvents = category(
  'account_slots',
  {
    SlotReserved: closed({
      accountId: idSchema('account'),
      sessionId: idSchema('session'),
      profileId: nullable(idSchema('profile')),
      /** When a reservation whose session was never requested is given back. */
      leaseExpiresAt: Timestamp,
      at: Timestamp,
    }),
    SlotReleased: closed({
      accountId: idSchema('account'),
      sessionId: idSchema('session'),
      at: Timestamp,
    }),
  },
  {
    timers: {
      SlotReserved: (data) => ({ subject: data.sessionId, starts: { slot_lease: data.leaseExpiresAt } }),
      SlotReleased: (data) => ({ subject: data.sessionId, ends: ['slot_lease'] }),
    },
  },
);
export type AccountSlotsEvent = EventOf<typeof accountSlotsEvents>;
