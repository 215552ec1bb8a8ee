import { expect } from 'chai';
import { account } from './account.ts';
import { everReserved } from './account-keys.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const keyNamed = (n: number) => `key_00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as const;

describe('the keys that an account has had', () => {
  it('cost a change as much after a thousand of them as after the first, and are all remembered', () => {
    const many = Array.from({ length: 1000 }, (_, n) => keyNamed(n));
    const created = { accountId, sealedEmail: 'sealed', tier: 'personal', at } as const;
    const state = many
      .flatMap((apiKeyId) => [
        { type: 'ApiKeyAdmitted', data: { accountId, apiKeyId, at } } as const,
        { type: 'ApiKeyDismissed', data: { accountId, apiKeyId, at } } as const,
      ])
      .reduce(
        account.evolve,
        account.evolve(account.initialState, { type: 'AccountCreated', data: created }),
      );
    if (state.status === 'none') throw new Error('The account exists.');
    expect(Object.keys(state.keys).length).to.be.below(64);
    expect(everReserved(state)).to.have.members(many);
    const admit = (apiKeyId: ReturnType<typeof keyNamed>) =>
      account.decide({ type: 'AdmitApiKey', apiKeyId, by: 'customer', at }, state);
    for (const known of many) {
      expect(admit(known)).to.deep.equal([]);
      const replaces = { type: 'ReplaceApiKey', apiKeyId: keyNamed(1), successorId: known, at } as const;
      expect(account.decide(replaces, state)).to.deep.equal([]);
    }
    const fresh = keyNamed(1001);
    expect(admit(fresh)).to.deep.equal([
      { type: 'ApiKeyAdmitted', data: { accountId, apiKeyId: fresh, at } },
    ]);
  });
});
