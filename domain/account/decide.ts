import type { AccountEvent } from '../../contracts/events/account.ts';
import type { ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import type {
  AccountCommand,
  AdmitApiKey,
  CreateAccount,
  OverrideConcurrency,
  ReplaceApiKey,
  SetTier,
  SuspendAccount,
} from './commands.ts';
import { heldPlaces, type Account, type ExistingAccount } from './state.ts';

type Decision = readonly AccountEvent[];

export function decide(command: AccountCommand, state: Account): Decision {
  if (command.type === 'CreateAccount') return createAccount(state, command);
  if (state.status === 'none') throw refuse('not-found');
  switch (command.type) {
    case 'SetTier':
      return setTier(state, command);
    case 'OverrideConcurrency':
      return overrideConcurrency(state, command);
    case 'SuspendAccount':
      return suspendAccount(state, command);
    case 'UnsuspendAccount':
      return state.status === 'active'
        ? []
        : [{ type: 'AccountUnsuspended', data: { accountId: state.accountId, at: command.at } }];
    case 'AdmitApiKey':
      return admitApiKey(state, command);
    case 'ReplaceApiKey':
      return replaceApiKey(state, command);
    case 'DismissApiKey':
      return dismissal(state, command.apiKeyId, command.at);
  }
}

function createAccount(state: Account, { type: _, ...data }: CreateAccount): Decision {
  if (state.status !== 'none') throw refuse('conflict', 'The account exists already.');
  return [{ type: 'AccountCreated', data }];
}

/** Keys and sessions beyond a smaller tier's caps stay; only new ones are refused. */
function setTier({ accountId, tier: from }: ExistingAccount, { tier: to, at }: SetTier): Decision {
  return from === to ? [] : [{ type: 'TierChanged', data: { accountId, from, to, at } }];
}

function overrideConcurrency(state: ExistingAccount, { limit, at }: OverrideConcurrency): Decision {
  if (limit === state.concurrencyOverride) return [];
  return [{ type: 'ConcurrencyOverridden', data: { accountId: state.accountId, limit, at } }];
}

function suspendAccount({ status, accountId }: ExistingAccount, { reason, at }: SuspendAccount): Decision {
  return status === 'suspended' ? [] : [{ type: 'AccountSuspended', data: { accountId, reason, at } }];
}

/** A tier without customer keys can still be given one by staff. */
function admitApiKey(state: ExistingAccount, { apiKeyId, by, at }: AdmitApiKey): Decision {
  if (state.keys[apiKeyId]) return [];
  const { apiKeys: tierCap } = tierLimits[state.tier];
  if (by === 'customer' && state.status === 'suspended')
    throw refuse('forbidden', 'The account is suspended.');
  if (by === 'customer' && tierCap === 0)
    throw refuse('forbidden', `The ${state.tier} tier takes no API keys.`);
  const cap = by === 'staff' ? Math.max(1, tierCap) : tierCap;
  if (heldPlaces(state).length >= cap)
    throw refuse('tier-limit', `The ${state.tier} tier holds at most ${cap} API keys.`);
  return [{ type: 'ApiKeyAdmitted', data: { accountId: state.accountId, apiKeyId, at } }];
}

/** Past no cap: a rotation leaves as many places taken as before. */
function replaceApiKey(state: ExistingAccount, { apiKeyId, successorId, at }: ReplaceApiKey): Decision {
  if (state.keys[successorId]) return [];
  return [
    ...dismissal(state, apiKeyId, at),
    { type: 'ApiKeyAdmitted', data: { accountId: state.accountId, apiKeyId: successorId, at } },
  ];
}

const dismissal = ({ keys, accountId }: ExistingAccount, apiKeyId: ApiKeyId, at: string): Decision =>
  keys[apiKeyId]?.held ? [{ type: 'ApiKeyDismissed', data: { accountId, apiKeyId, at } }] : [];
