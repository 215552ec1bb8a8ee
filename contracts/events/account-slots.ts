import { problems, type ProblemSlug } from '../problems.ts';
import { Timestamp, Type, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, timersOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), sessionId: idSchema('session'), at: Timestamp };

/**
 * `account_slots-<account uuid>`: the sessions that hold the account's concurrent slots. Only this stream decides the limit, and
 * one live session per profile.
 */
export const accountSlotsEvents = category(
  'account_slots',
  {
    SlotReserved: closed({
      ...of,
      profileId: nullable(idSchema('profile')),
      /** When the reservation is released, unless its session was requested. */
      leaseExpiresAt: Timestamp,
    }),
    SlotReleased: closed({
      ...of,
      /**
       * Why the session was refused before it was requested. Absent: the session was requested, or its create was interrupted.
       */
      refusal: Type.Optional(oneOf(Object.keys(problems) as [ProblemSlug, ...ProblemSlug[]])),
    }),
  },
  {
    timers: {
      SlotReserved: timersOn('sessionId').starts('slot_lease', 'leaseExpiresAt'),
      SlotReleased: timersOn('sessionId').ends('slot_lease'),
    },
  },
);
export type AccountSlotsEvent = EventOf<typeof accountSlotsEvents>;
