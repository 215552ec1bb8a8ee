import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountEvent } from '../contracts/events/account.ts';
import { Refusal } from '../contracts/problems.ts';
import { tierLimits, tiers } from '../contracts/tiers.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { account, keyReservations, type Account, type AccountCommand } from './account.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const keyNamed = (n: number) => `key_00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as const;
const orderId = 'ord_00000000-0000-4000-8000-000000000001';
const apiKeyId = keyNamed(1);
const [first, second] = [keyNamed(1), keyNamed(2)];

const event = eventBuilders<AccountEvent>({
  AccountCreated: { accountId, sealedEmail: 'sealed', tier: 'personal', at },
  TermsAccepted: { accountId, revision: '2026-01', at },
  TierChanged: { accountId, from: 'personal', to: 'team', at },
  TierConfirmed: { accountId, tier: 'team', at },
  ConcurrencyOverridden: { accountId, limit: 5, at },
  ProfileCapOverridden: { accountId, limit: 20, at },
  AccountSuspended: { accountId, reason: 'unpaid', at },
  AccountUnsuspended: { accountId, at },
  AccountErased: { accountId, at },
  ApiKeyAdmitted: { accountId, apiKeyId, at },
  ApiKeyDismissed: { accountId, apiKeyId, at },
  EntitlementGranted: { accountId, source: 'card', tier: 'team', until: null, at },
  EntitlementEnded: { accountId, source: 'card', at },
});
const command = commandBuilders<AccountCommand>({
  CreateAccount: { accountId, sealedEmail: 'sealed', tier: 'personal', at },
  AcceptTerms: { revision: '2026-01', at },
  SetTier: { tier: 'team', at },
  OverrideConcurrency: { limit: 5, at },
  OverrideProfileCap: { limit: 20, at },
  SuspendAccount: { reason: 'unpaid', at },
  UnsuspendAccount: { at },
  EraseAccount: { at },
  AdmitApiKey: { apiKeyId, by: 'customer', at },
  ReplaceApiKey: { apiKeyId: first, successorId: second, at },
  DismissApiKey: { apiKeyId, at },
  EntitleByCard: { tier: 'team', basedOn: 1, at },
  EntitleByOrder: { orderId, tier: 'team', days: 30, at },
  EndCardEntitlement: { basedOn: 1, at },
  EndOrderEntitlement: { orderId, at },
});
const { given } = deciderSpec(account);
const created = event.AccountCreated();
const full = Array.from({ length: 5 }, (_, n) => event.ApiKeyAdmitted({ apiKeyId: keyNamed(100 + n) }));

describe('an account', () => {
  it('is created once', () => {
    given().when(command.CreateAccount()).then(created);
    given(created).when(command.CreateAccount()).refused('email-already-registered');
  });

  it('is created with the terms that were accepted at sign-up', () => {
    given()
      .when(command.CreateAccount({ acceptedRevision: '2026-01' }))
      .then(created, event.TermsAccepted());
  });

  it('accepts a revision of the terms once', () => {
    given(created).when(command.AcceptTerms()).then(event.TermsAccepted());
    given(created, event.TermsAccepted()).when(command.AcceptTerms()).nothing();
    given(created, event.TermsAccepted())
      .when(command.AcceptTerms({ revision: '2026-02' }))
      .then(event.TermsAccepted({ revision: '2026-02' }));
  });

  it('that does not exist answers every other command with not-found', () => {
    for (const each of [command.SetTier(), command.SuspendAccount(), command.AdmitApiKey()])
      given().when(each).refused('not-found');
  });

  it('changes its tier, without an event if it has it already', () => {
    const byStaff = event.TierChanged({ byStaff: true });
    given(created).when(command.SetTier()).then(byStaff);
    for (const known of [byStaff, event.TierChanged()])
      given(created, known).when(command.SetTier()).nothing();
  });

  it('is suspended and unsuspended, each idempotent', () => {
    given(created).when(command.SuspendAccount()).then(event.AccountSuspended());
    given(created, event.AccountSuspended()).when(command.SuspendAccount()).nothing();
    given(created, event.AccountSuspended())
      .when(command.UnsuspendAccount())
      .then(event.AccountUnsuspended());
    given(created).when(command.UnsuspendAccount()).nothing();
  });
});

describe('keys of an account', () => {
  it('are admitted under the tier’s cap', () => {
    given(created).when(command.AdmitApiKey()).then(event.ApiKeyAdmitted());
    given(created, ...full)
      .when(command.AdmitApiKey())
      .refused('tier-limit');
  });

  it('are admitted once, and not again after their dismissal', () => {
    given(created, event.ApiKeyAdmitted()).when(command.AdmitApiKey()).nothing();
    given(created, event.ApiKeyAdmitted(), event.ApiKeyDismissed()).when(command.AdmitApiKey()).nothing();
  });

  it('release their quota when dismissed', () => {
    given(created, event.ApiKeyAdmitted()).when(command.DismissApiKey()).then(event.ApiKeyDismissed());
    given(created).when(command.DismissApiKey()).nothing();
    given(created, ...full, event.ApiKeyDismissed({ apiKeyId: keyNamed(100) }))
      .when(command.AdmitApiKey())
      .then(event.ApiKeyAdmitted());
  });

  it('transfer their quota to their successor, full or not, once', () => {
    given(created, event.ApiKeyAdmitted())
      .when(command.ReplaceApiKey())
      .then(event.ApiKeyDismissed(), event.ApiKeyAdmitted({ apiKeyId: second }));
    given(created, event.ApiKeyAdmitted(), event.ApiKeyAdmitted({ apiKeyId: second }))
      .when(command.ReplaceApiKey())
      .nothing();
  });

  it('cannot be created by a free account, while staff may issue it one', () => {
    const free = event.AccountCreated({ tier: 'free' });
    given(free).when(command.AdmitApiKey()).refused('forbidden');
    given(free)
      .when(command.AdmitApiKey({ by: 'staff' }))
      .then(event.ApiKeyAdmitted());
    given(free, event.ApiKeyAdmitted({ apiKeyId: second }))
      .when(command.AdmitApiKey({ by: 'staff' }))
      .refused('tier-limit');
  });

  it('cannot be created by a suspended account', () => {
    given(created, event.AccountSuspended()).when(command.AdmitApiKey()).refused('forbidden');
  });

  it('never exceed the cap under any sequence of commands', () => {
    const key = fc.integer({ min: 1, max: 12 }).map(keyNamed);
    const step: fc.Arbitrary<AccountCommand> = fc.oneof(
      key.map((apiKeyId) => command.AdmitApiKey({ apiKeyId })),
      key.map((apiKeyId) => command.DismissApiKey({ apiKeyId })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...tiers), fc.array(step, { maxLength: 40 }), (tier, steps) => {
        const end = steps.reduce(
          applied,
          account.evolve(account.initialState, event.AccountCreated({ tier })),
        );
        if (end.status === 'none') throw new Error('the account exists');
        expect(keyReservations(end).length).to.be.at.most(tierLimits[tier].apiKeys);
      }),
    );
  });
});

/** The state after a command; unchanged after a refusal. */
function applied(state: Account, next: AccountCommand): Account {
  try {
    return account.decide(next, state).reduce(account.evolve, state);
  } catch (error) {
    if (error instanceof Refusal) return state;
    throw error;
  }
}

describe('an erased account', () => {
  const erased = [created, event.ApiKeyAdmitted(), event.AccountErased()];

  it('is erased once, suspended or not', () => {
    given(created).when(command.EraseAccount()).then(event.AccountErased());
    given(created, event.AccountSuspended()).when(command.EraseAccount()).then(event.AccountErased());
    given(...erased)
      .when(command.EraseAccount())
      .nothing();
  });

  it('has its orders’ days end, with their timer, and keeps its tier', () => {
    const byOrder = event.EntitlementGranted({ source: orderId, until: at });
    const ended = event.EntitlementEnded({ source: orderId });
    const history = [created, byOrder, event.TierChanged(), event.AccountErased()];
    given(...history)
      .when(command.EndOrderEntitlement())
      .then(ended);
    given(...history, ended)
      .when(command.EndOrderEntitlement())
      .nothing();
    given(created, event.EntitlementGranted(), event.AccountErased())
      .when(command.EndCardEntitlement())
      .nothing();
  });

  it('keeps the reservation of a rotated key, by which its erasure finds the successor', () => {
    given(...erased)
      .when(command.ReplaceApiKey())
      .nothing();
  });

  it('refuses every other command, and releases the quota of its keys', () => {
    for (const refused of [
      command.SetTier(),
      command.SuspendAccount(),
      command.UnsuspendAccount(),
      command.AdmitApiKey({ apiKeyId: second }),
      command.AcceptTerms(),
      command.OverrideProfileCap(),
    ])
      given(...erased)
        .when(refused)
        .refused('not-found');
    given(...erased)
      .when(command.DismissApiKey())
      .then(event.ApiKeyDismissed());
  });
});
