import { expect } from 'chai';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { anAccount, at, by } from '../../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service account set-bundled-cap', () => {
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

  const set = (...args: string[]) =>
    runService(['account', 'set-bundled-cap', '--account', account, ...args, '--json'], operatorOf(side));
  const cap = async () => {
    const { json } = await side.call('GET /v1/account/me/bundled-llm-settings', { token });
    return json.bundled_llm_monthly_cap_usd_cents;
  };

  it('raises the cap of an account from its next read on, and restores the default without an amount', async () => {
    const raised = await set('--cents', '5000');
    expect(JSON.parse(raised.stdout)).to.deep.equal({
      account_id: account,
      bundled_cap_cents: 5000,
      changed: true,
    });
    expect(await cap()).to.equal(5000);
    expect(JSON.parse((await set('--cents', '5000')).stdout)).to.include({ changed: false });
    await set();
    expect(await cap()).to.equal(2000);
  });

  it('requires a whole number of cents, and an existing account', async () => {
    for (const wrong of ['-1', '1.5', 'many']) {
      const { status, stderr } = await set(`--cents=${wrong}`);
      expect([status, stderr.includes('whole number')], wrong).to.deep.equal([1, true]);
    }
    const existing = account;
    account = anAccount();
    expect((await set('--cents', '1')).status).to.equal(1);
    account = existing;
    const erased = { type: 'AccountErased', data: { accountId: account, at } } as const;
    await side.append(`account-${uuidOf(account)}`, [erased], by(account));
    expect(await set('--cents', '1')).to.deep.include({
      status: 1,
      stderr: `not-found: There is no ${account}, or no longer.\n`,
    });
  });
});
