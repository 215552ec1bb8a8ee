import { expect } from 'chai';
import type { AccountEvent } from '../contracts/events/account.ts';
import { concurrentSessions, profileCap, tierLimits, type Tier } from '../contracts/tiers.ts';
import { account, type AccountCommand } from './account.ts';
import { deciderSpec } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';

const created = (tier: Tier): AccountEvent => ({
  type: 'AccountCreated',
  data: { accountId, sealedEmail: 'sealed', tier, at },
});
const moved = (from: Tier, to: Tier): AccountEvent => ({
  type: 'TierChanged',
  data: { accountId, from, to, at },
});
const erased: AccountEvent = { type: 'AccountErased', data: { accountId, at } };
const { given } = deciderSpec(account);

const limits = [
  {
    resources: 'concurrent sessions',
    ofTier: 'concurrentSessions',
    limitOf: concurrentSessions,
    override: (limit: number | null): AccountCommand => ({ type: 'OverrideConcurrency', limit, at }),
    overridden: (limit: number | null): AccountEvent => ({
      type: 'ConcurrencyOverridden',
      data: { accountId, limit, at },
    }),
  },
  {
    resources: 'profiles',
    ofTier: 'profiles',
    limitOf: profileCap,
    override: (limit: number | null): AccountCommand => ({ type: 'OverrideProfileCap', limit, at }),
    overridden: (limit: number | null): AccountEvent => ({
      type: 'ProfileCapOverridden',
      data: { accountId, limit, at },
    }),
  },
] as const;

for (const { resources, ofTier, limitOf, override, overridden } of limits) {
  describe(`the number of ${resources} of an account`, () => {
    const allowed = (...history: AccountEvent[]): number => {
      const state = history.reduce(account.evolve, account.initialState);
      return state.status === 'none' ? 0 : limitOf(state);
    };
    const [agency, enterprise] = [tierLimits.agency[ofTier], tierLimits.enterprise[ofTier]];

    it('is the tier’s until an override raises it, on any tier', () => {
      expect(allowed(created('agency'))).to.equal(agency);
      given(created('agency'))
        .when(override(agency + 1))
        .then(overridden(agency + 1));
      expect(allowed(created('agency'), overridden(agency + 1))).to.equal(agency + 1);
      given(created('enterprise'))
        .when(override(enterprise * 2))
        .then(overridden(enterprise * 2));
      expect(allowed(created('enterprise'), overridden(enterprise * 2))).to.equal(enterprise * 2);
    });

    it('is never lowered by an override: one below the tier’s is refused', () => {
      given(created('agency'))
        .when(override(agency - 1))
        .refused('bad-request');
      given(created('agency'), overridden(agency + 1))
        .when(override(1))
        .refused('bad-request');
      given(created('agency')).when(override(agency)).then(overridden(agency));
      expect(allowed(created('agency'), overridden(2))).to.equal(agency);
    });

    it('is the larger of the two when the tier changes', () => {
      const raised = [created('agency'), overridden(agency + 1)];
      expect(allowed(...raised, moved('agency', 'enterprise'))).to.equal(enterprise);
      expect(allowed(...raised, moved('agency', 'free'))).to.equal(agency + 1);
    });

    it('is the tier’s again when the override is removed', () => {
      const raised = [created('agency'), overridden(agency + 1)];
      given(...raised)
        .when(override(null))
        .then(overridden(null));
      expect(allowed(...raised, overridden(null))).to.equal(agency);
    });

    it('is overridden once, and not for an erased account', () => {
      given(created('agency'), overridden(agency + 1))
        .when(override(agency + 1))
        .nothing();
      given(created('agency')).when(override(null)).nothing();
      given(created('agency'), erased)
        .when(override(agency + 1))
        .refused('not-found');
      given().when(override(agency)).refused('not-found');
    });
  });
}

it('the overrides of an account are independent of each other', () => {
  const events = [created('agency'), ...limits.map(({ overridden }, index) => overridden(300 + index))];
  const state = events.reduce(account.evolve, account.initialState);
  expect(state).to.include({ concurrencyOverride: 300, profileCapOverride: 301 });
});

describe('an override of the number of profiles', () => {
  it('is refused above 10,000', () => {
    given(created('enterprise'))
      .when({ type: 'OverrideProfileCap', limit: 10_001, at })
      .refused('bad-request');
  });
});
