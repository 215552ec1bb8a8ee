import { Type, Timestamp, closed, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const entry = entryOn('account');

/** The mails that an account can opt out of. All others are always sent. */
export const emailEventTypes = [
  'signup-welcome',
  'session-success-first',
  'session-failed-first',
  'tier-changed',
  'billing-receipt',
  'billing-renewal-reminder',
] as const;
export type EmailEventType = (typeof emailEventTypes)[number];

/** `email_preferences-<account uuid>`: which mails an account has opted out of, or in to again. */
export const emailPreferencesEvents = category(
  'email_preferences',
  {
    EmailPreferenceSet: closed({
      accountId: idSchema('account'),
      eventType: oneOf(emailEventTypes),
      optedIn: Type.Boolean(),
      at: Timestamp,
    }),
  },
  {
    audit: {
      EmailPreferenceSet: ({ accountId, eventType, optedIn }) =>
        entry('email_preference.updated', accountId, { event_type: eventType, opted_in: optedIn }),
    },
  },
);
export type EmailPreferencesEvent = EventOf<typeof emailPreferencesEvents>;
