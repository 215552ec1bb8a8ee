import {
  emailPreferencesEvents,
  type EmailEventType,
  type EmailPreferencesEvent,
} from '../contracts/events/email-preferences.ts';
import type { AccountId } from '../contracts/ids.ts';
import { isOptedInTo, type EmailPreferencesState } from '../contracts/resources/email-preferences.ts';
import { decideBy, type CommandsOf, type Decider } from './kit/decider.ts';

export type EmailPreferencesCommand = CommandsOf<{
  SetEmailPreference: { accountId: AccountId; eventType: EmailEventType; optedIn: boolean };
}>;

/** The optional mails that an account wants. */
export const emailPreferences: Decider<
  EmailPreferencesState,
  EmailPreferencesCommand,
  EmailPreferencesEvent
> = {
  category: emailPreferencesEvents,
  initialState: {},
  decide: decideBy<EmailPreferencesState, EmailPreferencesCommand, EmailPreferencesEvent>({
    SetEmailPreference: (state, { type: _, ...data }) =>
      isOptedInTo(state, data.eventType) === data.optedIn ? [] : [{ type: 'EmailPreferenceSet', data }],
  }),
  evolve: (state, { data: { eventType, optedIn } }) => ({ ...state, [eventType]: optedIn }),
  snapshotEvery: 200,
};
