import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { subscription } from '../../domain/subscription.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startCardService } from '../testing/cards.ts';

describe('a subscription by card whose account is erased', () => {
  let cards: Awaited<ReturnType<typeof startCardService>>;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());

  const erase = (accountId: AccountId) => {
    const { runner, context } = cards.service.staff;
    const command = { type: 'EraseAccount', at: cards.clock.now().toISOString() } as const;
    return runner.run(account, uuidOf(accountId), command, context());
  };

  it('ends with it', async () => {
    const { accountId, checkoutId } = await cards.buyer();
    const { id } = cards.processor.ledger.complete(checkoutId);
    await erase(accountId);
    await until(() => cards.processor.ledger.subscriptions.get(id)?.status === 'canceled');
  });

  it('cannot begin for a customer that is recorded after the erasure, which is deleted', async () => {
    const { runner, context } = cards.service.staff;
    const { accountId } = await cards.service.staff.account('free');
    await erase(accountId);
    const { id: customerId } = cards.processor.ledger.addCustomer({ account_id: accountId });
    const link = {
      type: 'LinkCustomer',
      accountId,
      customerId,
      at: cards.clock.now().toISOString(),
    } as const;
    await runner.run(subscription, uuidOf(accountId), link, context());
    await until(() => cards.customersOf(accountId).length === 0);
  });
});
