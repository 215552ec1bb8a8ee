import type { AccountEvent } from '../../contracts/events/account.ts';
import type { Account, ExistingAccount } from './state.ts';

export function evolve(state: Account, event: AccountEvent): Account {
  if (event.type === 'AccountCreated') {
    const { accountId, sealedEmail, tier, at } = event.data;
    return {
      status: 'active',
      accountId,
      sealedEmail,
      tier,
      concurrencyOverride: null,
      keys: {},
      createdAt: at,
    };
  }
  return state.status === 'none' ? state : change(state, event);
}

function change(
  state: ExistingAccount,
  { type, data }: Exclude<AccountEvent, { type: 'AccountCreated' }>,
): ExistingAccount {
  switch (type) {
    case 'TierChanged':
      return { ...state, tier: data.to };
    case 'ConcurrencyOverridden':
      return { ...state, concurrencyOverride: data.limit };
    case 'AccountSuspended':
      return { ...state, status: 'suspended' };
    case 'AccountUnsuspended':
      return { ...state, status: 'active' };
    case 'ApiKeyAdmitted':
      return { ...state, keys: { ...state.keys, [data.apiKeyId]: { held: true, since: data.at } } };
    case 'ApiKeyDismissed':
      return { ...state, keys: { ...state.keys, [data.apiKeyId]: { held: false } } };
  }
}
