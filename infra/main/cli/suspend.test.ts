import { expect } from 'chai';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { anAccount, at, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

const subscribed = {
  ...{
    subscriptionId: 'sub_1',
    status: 'active',
    tier: 'personal',
    cancelAtPeriodEnd: false,
    paymentMethod: null,
  },
  ...{ currentPeriodStart: at, currentPeriodEnd: '2026-02-02T03:04:05.678Z', createdAt: at, remindAt: null },
};

describe('service account suspend', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());

  const subscriber = async (...subscriptions: readonly object[]): Promise<AccountId> => {
    const accountId = anAccount();
    const created = { type: 'AccountCreated', data: { accountId, sealedEmail: 'sealed', tier: 'free', at } };
    await side.append(`account-${uuidOf(accountId)}`, [created], by(accountId));
    const bought = [
      { type: 'CardCustomerCreated', data: { accountId, customerId: 'cus_1', at } },
      ...subscriptions.map((each) => ({
        type: 'SubscriptionChanged',
        data: { accountId, ...subscribed, ...each, at },
      })),
    ];
    await side.append(`subscription-${uuidOf(accountId)}`, bought, by(accountId));
    return accountId;
  };
  const suspend = (account: AccountId, ...args: string[]) =>
    runService(['account', 'suspend', '--account', account, ...args], operatorOf(side));

  it('says that a subscription by card runs on', async () => {
    const account = await subscriber({});
    const warning =
      'Its subscription sub_1 runs on and is charged: cancel it at the card processor if it should end.';
    expect(await suspend(account)).to.deep.include({
      status: 0,
      stdout: `${account}: suspended true\n${warning}\n`,
    });
    const again = await suspend(account, '--json');
    expect(JSON.parse(again.stdout)).to.deep.equal({
      ...{ account_id: account, suspended: true, changed: false, warning },
    });
  });

  it('names all that run on, also those with a price of no tier', async () => {
    const account = await subscriber(...[{}, { subscriptionId: 'sub_2', status: 'past_due', tier: null }], {
      subscriptionId: 'sub_3',
      status: 'canceled',
    });
    const { stdout } = await suspend(account);
    expect(stdout).to.contain('Its subscriptions sub_1, sub_2 run on and are charged');
  });

  it('names one whose price gives no tier', async () => {
    const { stdout } = await suspend(await subscriber({ tier: null }));
    expect(stdout).to.contain('Its subscription sub_1 runs on');
  });

  it('says nothing of one that has ended, or ends with its period', async () => {
    const account = await subscriber(
      { status: 'canceled' },
      { subscriptionId: 'sub_2', cancelAtPeriodEnd: true },
    );
    const { stdout } = await suspend(account, '--json');
    expect(JSON.parse(stdout)).to.deep.equal({ account_id: account, suspended: true, changed: true });
  });
});
