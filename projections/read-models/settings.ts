import { bundledSpendEvents, type BundledSpendEvent } from '../../contracts/events/bundled-llm.ts';
import { bundledLlm } from '../../domain/bundled-llm.ts';
import { emailPreferences } from '../../domain/email-preferences.ts';
import { organization } from '../../domain/organization.ts';
import { ownLlmKey } from '../../domain/own-llm-key.ts';
import { readModel } from '../engine/read-model.ts';
import { stateReadModel } from '../engine/state-read-model.ts';
import { column } from '../engine/table.ts';

/** Settings of accounts, a table per category. Fields sealed in events are sealed here too. */
export const organizations = stateReadModel('organizations', organization);
export const accountEmailPreferences = stateReadModel('email_preferences', emailPreferences);
export const ownLlmKeys = stateReadModel('own_llm_keys', ownLlmKey);
export const bundledLlmSettings = stateReadModel('bundled_llm', bundledLlm);

/** Row id of the table below. */
export const spendRowId = (accountId: string, month: string): string => `${accountId} ${month}`;

/** Each event contains the total, so the previous row need not be read. */
const spent = ({ data }: { readonly data: BundledSpendEvent['data'] }) => ({
  id: spendRowId(data.accountId, data.month),
  spent_cents: data.totalCents,
});

/** Each account's spending on the bundled model, by calendar month. */
export const bundledSpends = readModel('bundled_spend', {
  of: bundledSpendEvents,
  id: ({ data }) => spendRowId(data.accountId, data.month),
  columns: { id: column.text, spent_cents: column.integer },
  handlers: 2,
  creates: { BundledLlmSpent: spent, BundledLlmReturned: spent },
});
