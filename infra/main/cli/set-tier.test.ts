import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import { anAccount, at, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service account set-tier', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());

  it('says that a tier that is paid for now outlives its payments', async () => {
    const accountId = anAccount();
    const paying = [
      { type: 'AccountCreated', data: { accountId, sealedEmail: 'sealed', tier: 'free', at } },
      { type: 'EntitlementGranted', data: { accountId, source: 'card', tier: 'team', until: null, at } },
      { type: 'TierChanged', data: { accountId, from: 'free', to: 'team', at } },
    ];
    await side.append(`account-${uuidOf(accountId)}`, paying, by(accountId));
    const setTier = (tier: string, ...args: string[]) =>
      runService(['account', 'set-tier', '--account', accountId, '--tier', tier, ...args], operatorOf(side));
    const warning = 'It had this tier by its payments, and now keeps it when they end.';
    expect((await setTier('team')).stdout).to.equal(`${accountId}: tier team\n${warning}\n`);
    expect((await setTier('team')).stdout).to.equal(`${accountId}: tier team already\n`);
    expect((await setTier('free')).stdout).to.equal(`${accountId}: tier free\n`);
    expect((await setTier('team')).stdout).to.equal(`${accountId}: tier team\n`);
    const { stdout } = await setTier('team', '--json');
    expect(JSON.parse(stdout)).to.deep.equal({ account_id: accountId, tier: 'team', changed: true, warning });
  });
});
