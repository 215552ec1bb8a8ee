import { emailEventTypes, type EmailEventType } from '../events/email-preferences.ts';
import { Type, closed, oneOf, requestBody, type Static } from '../schema.ts';

const fields = { event_type: oneOf(emailEventTypes), opted_in: Type.Boolean() };

export const PutEmailPreference = requestBody(fields);
export const EmailPreference = closed(fields);

/** One preference per type. */
export const EmailPreferences = closed({ preferences: Type.Array(EmailPreference) });
export type EmailPreferences = Static<typeof EmailPreferences>;

/** Types for which the account has set a preference. */
export type EmailPreferencesState = Readonly<Partial<Record<EmailEventType, boolean>>>;

/** True if the account gets mails of the type; the default. */
export const isOptedInTo = (decided: EmailPreferencesState, type: EmailEventType): boolean =>
  decided[type] ?? true;

export const presentEmailPreferences = (decided: EmailPreferencesState): EmailPreferences => ({
  preferences: emailEventTypes.map((type) => ({ event_type: type, opted_in: isOptedInTo(decided, type) })),
});
