import { expect } from 'chai';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { anAccount, at } from '../../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service account remove-second-factor', () => {
  // The first command may have to bundle the sources.
  let side: ReadApi;
  let account: AccountId;
  before(async () => {
    side = await startReadApi();
    side.project();
    ({ account } = await side.addAccount());
    const of = { accountId: account, at };
    await side.write(account, `second_factor-${uuidOf(account)}`, [
      { type: 'SecondFactorEnrolmentBegun', data: { ...of, sealedSecret: 'sealed' } },
      { type: 'SecondFactorConfirmed', data: { ...of, step: 1, recoveryCodes: [] } },
    ]);
    await side.caughtUp();
  });
  after(() => side.close());

  const remove = (of: AccountId) =>
    runService(['account', 'remove-second-factor', '--account', of, '--json'], operatorOf(side));

  it('removes the second factor, once', async () => {
    const removed = await remove(account);
    expect(JSON.parse(removed.stdout)).to.deep.equal({
      account_id: account,
      second_factor: false,
      changed: true,
    });
    expect(JSON.parse((await remove(account)).stdout)).to.include({ changed: false });
  });

  it('requires an existing account', async () => {
    expect((await remove(anAccount())).status).to.equal(1);
  });
});
