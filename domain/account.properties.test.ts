import assert from 'node:assert/strict';
import fc from 'fast-check';
import { concurrentSessions, profileCap, tierLimits } from '../contracts/tiers.ts';
import { idOf, text, tier, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { account, keyReservations, type AccountCommand } from './account.ts';

const named = <Type extends string>(type: Type) => ({ type: fc.constant(type), at: time });
const accountId = idOf('account', 1);
const apiKeyId = idOf('apiKey', 9);
const command: fc.Arbitrary<AccountCommand> = fc.oneof(
  fc.record({ ...named('CreateAccount'), accountId, sealedEmail: text, tier }),
  fc.record({ ...named('CreateAccount'), accountId, sealedEmail: text, tier, acceptedRevision: text }),
  fc.record({ ...named('AcceptTerms'), revision: text }),
  fc.record({ ...named('SetTier'), tier }),
  fc.record({ ...named('OverrideConcurrency'), limit: fc.option(fc.integer({ min: 1, max: 1000 })) }),
  fc.record({ ...named('OverrideProfileCap'), limit: fc.option(fc.integer({ min: 1, max: 10_000 })) }),
  fc.record({ ...named('SuspendAccount'), reason: text }),
  fc.record(named('UnsuspendAccount')),
  fc.record(named('EraseAccount')),
  fc.record({
    ...named('AdmitApiKey'),
    apiKeyId,
    by: fc.constantFrom('customer' as const, 'staff' as const),
  }),
  fc.record({ ...named('ReplaceApiKey'), apiKeyId, successorId: apiKeyId }),
  fc.record({ ...named('DismissApiKey'), apiKeyId }),
);

describeDecider('an account under any sequence of commands', {
  decider: account,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'AccountCreated', 'active'],
    ['active', 'TermsAccepted', 'active'],
    ['active', 'TierChanged', 'active'],
    ['active', 'ConcurrencyOverridden', 'active'],
    ['active', 'ProfileCapOverridden', 'active'],
    ['active', 'AccountSuspended', 'suspended'],
    ['active', 'ApiKeyAdmitted', 'active'],
    ['active', 'ApiKeyDismissed', 'active'],
    ['suspended', 'AccountUnsuspended', 'active'],
    ['suspended', 'TermsAccepted', 'suspended'],
    ['suspended', 'TierChanged', 'suspended'],
    ['suspended', 'ConcurrencyOverridden', 'suspended'],
    ['suspended', 'ProfileCapOverridden', 'suspended'],
    ['suspended', 'ApiKeyAdmitted', 'suspended'],
    ['suspended', 'ApiKeyDismissed', 'suspended'],
    ['active', 'AccountErased', 'erased'],
    ['suspended', 'AccountErased', 'erased'],
    ['erased', 'ApiKeyDismissed', 'erased'],
  ],
  invariant: (state, { type, ...rest }) => {
    if (state.status === 'none') return;
    const { apiKeys, concurrentSessions: included, profiles } = tierLimits[state.tier];
    assert.ok(concurrentSessions(state) >= included, 'an override took sessions away');
    assert.ok(profileCap(state) >= profiles, 'an override took profiles away');
    if (type !== 'AdmitApiKey' || !('by' in rest)) return;
    const cap = rest.by === 'staff' ? Math.max(1, apiKeys) : apiKeys;
    assert.ok(keyReservations(state).length <= cap, 'more keys than the cap');
  },
});
