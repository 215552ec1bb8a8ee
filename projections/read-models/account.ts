import { accountEvents } from '../../contracts/events/account.ts';
import { readModel } from '../engine/read-model.ts';
import { column, textOf } from '../engine/table.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';

/** Every account. The address stays sealed, and is opened when shown. */
export const accounts = readModel('accounts', {
  of: accountEvents,
  id: 'account',
  columns: {
    id: textOf<AccountId>(),
    sealed_email: column.text,
    tier: textOf<Tier>(),
    /** Raises the tier's concurrent sessions; null: no override. */
    concurrency_override: column.optionalInteger,
    /** The same of the number of profiles. */
    profile_cap_override: column.optionalInteger,
    suspended_at: column.optionalTime,
    suspended_reason: column.optionalText,
    erased_at: column.optionalTime,
    /** Accepted revision of the terms. */
    accepted_revision: column.optionalText,
    created_at: column.time,
    updated_at: column.time,
  },
  concernsOthers: true,
  handlers: 1,
  creates: {
    AccountCreated: ({ data }) => ({
      id: data.accountId,
      sealed_email: data.sealedEmail,
      tier: data.tier,
      concurrency_override: null,
      profile_cap_override: null,
      suspended_at: null,
      suspended_reason: null,
      erased_at: null,
      accepted_revision: null,
      created_at: data.at,
      updated_at: data.at,
    }),
  },
  changes: {
    TermsAccepted: ({ data }) => ({ accepted_revision: data.revision, updated_at: data.at }),
    TierChanged: ({ data }) => ({ tier: data.to, updated_at: data.at }),
    ConcurrencyOverridden: ({ data }) => ({ concurrency_override: data.limit, updated_at: data.at }),
    ProfileCapOverridden: ({ data }) => ({ profile_cap_override: data.limit, updated_at: data.at }),
    AccountSuspended: ({ data: { at, reason } }) => ({
      suspended_at: at,
      suspended_reason: reason,
      updated_at: at,
    }),
    AccountErased: ({ data: { at } }, { suspended_at }) => ({
      suspended_at: suspended_at ?? at,
      suspended_reason: 'erased',
      erased_at: at,
      updated_at: at,
    }),
    AccountUnsuspended: ({ data: { at } }) => ({
      suspended_at: null,
      suspended_reason: null,
      updated_at: at,
    }),
  },
});
