import { Timestamp, closed, nullable } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

/**
 * `account_slots-<account uuid>`: which sessions hold the account's concurrent slots. The limit, and one live session per
 * profile, are decided here and nowhere else.
 */
export const accountSlotsEvents = category(
  'account_slots',
  {
    SlotReserved: closed({
      accountId: idSchema('account'),
      sessionId: idSchema('session'),
      profileId: nullable(idSchema('profile')),
      /** A reservation whose session was not requested by then is released. */
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
