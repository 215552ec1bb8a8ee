import { expect } from 'chai';
import type { AccountId } from '../../../contracts/ids.ts';
import type { AccountLimits } from '../../../contracts/resources/account-limits.ts';
import { dataOf, startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service account override-profiles', () => {
  let side: ReadApi;
  let account: AccountId;
  let token: string;
  before(async () => {
    side = await startReadApi();
    side.project();
    const added = await side.addAccount();
    [account, token] = [added.account, added.key.text];
  });
  after(() => side.close());

  const override = (...args: string[]) =>
    runService(['account', 'override-profiles', '--account', account, ...args], operatorOf(side));
  const limit = async () => {
    const { json, text } = await side.call('GET /v1/account/rate-limits', { token });
    expect(json, text).to.have.property('quotas');
    return (json as unknown as AccountLimits).quotas.find(({ name }) => name === 'profiles')?.limit;
  };

  it('raises the number of profiles of an account, and restores that of its tier without a limit', async () => {
    expect(await limit()).to.equal(50);
    const raised = await override('--limit', '10000', '--json');
    expect(JSON.parse(raised.stdout)).to.deep.equal({ account_id: account, profiles: 10_000, changed: true });
    expect(await limit()).to.equal(10_000);
    expect((await override('--limit', '10000')).stdout).to.equal(`${account}: profiles 10000 already\n`);
    expect((await override()).stdout).to.equal(`${account}: profiles the default\n`);
    expect(await limit()).to.equal(50);
    const entries = dataOf(await side.call('GET /v1/account/audit-log', { token }));
    const shown = entries
      .filter(({ action }) => action === 'account.profile_cap_overridden')
      .map(({ payload }) => payload);
    expect(shown).to.deep.equal([{ limit: null }, { limit: 10_000 }]);
  });
});
