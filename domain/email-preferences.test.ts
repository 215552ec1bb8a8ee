import { expect } from 'chai';
import { emailEventTypes, type EmailPreferencesEvent } from '../contracts/events/email-preferences.ts';
import { toId } from '../contracts/ids.ts';
import { isOptedInTo } from '../contracts/resources/email-preferences.ts';
import { emailPreferences, type EmailPreferencesCommand } from './email-preferences.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const at = '2026-01-05T12:00:00.000Z';
const out = { accountId, eventType: 'tier-changed', optedIn: false, at } as const;
const { EmailPreferenceSet } = eventBuilders<EmailPreferencesEvent>({ EmailPreferenceSet: out });
const { SetEmailPreference } = commandBuilders<EmailPreferencesCommand>({ SetEmailPreference: out });
const { given } = deciderSpec(emailPreferences);

describe('e-mail preferences', () => {
  it('are opted in to every type until the account changes it', () => {
    for (const type of emailEventTypes) expect(isOptedInTo({}, type)).to.equal(true);
    given()
      .when(SetEmailPreference({ optedIn: true }))
      .nothing();
  });

  it('are set one type at a time, and only when that changes something', () => {
    given().when(SetEmailPreference()).then(EmailPreferenceSet());
    given(EmailPreferenceSet()).when(SetEmailPreference()).nothing();
    given(EmailPreferenceSet())
      .when(SetEmailPreference({ optedIn: true }))
      .then(EmailPreferenceSet({ optedIn: true }));
    given(EmailPreferenceSet())
      .when(SetEmailPreference({ eventType: 'billing-receipt' }))
      .leaves((state) =>
        expect(emailEventTypes.filter((type) => !isOptedInTo(state, type))).to.deep.equal([
          'tier-changed',
          'billing-receipt',
        ]),
      );
  });
});
