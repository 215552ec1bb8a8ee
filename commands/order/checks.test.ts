import { expect } from 'chai';
import { dayMs, hourMs } from '../../contracts/durations.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { order, type OrderCommand } from '../../domain/order/order.ts';
import { accountId, commands, orderId } from '../../domain/order/testing.ts';
import { createNowPayments } from '../../infra/crypto-payments/nowpayments.ts';
import { PaymentsUnavailable } from '../../infra/crypto-payments/port.ts';
import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../infra/crypto-payments/stand-in/crypto-processor.ts';
import { createRunner } from '../engine/runner.ts';
import { newContext, openStore, quiet, TestClock } from '../session/testing.ts';
import { createOrderUpkeep } from './upkeep.ts';

const apiKey = 'a key of the processor';

describe('the checks of an ended order while the processor gives no answer', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let processor: CryptoProcessor;
  before(async () => {
    opened = await openStore();
    processor = await startCryptoProcessor({ apiKey, ipnSecret: 'a secret of callbacks' });
  });
  after(async () => {
    await processor.close();
    await opened.close();
  });

  it('count as made, since a later one makes up for them; the last one stays due', async () => {
    const { store } = opened;
    const clock = new TestClock();
    const runner = createRunner({ store, logger: quiet, cacheEntries: 10 });
    const payments = createNowPayments({ baseUrl: processor.url, apiKey, callbackUrl: undefined });
    const orders = createOrderUpkeep({ runner, clock, payments });
    const run = (command: OrderCommand) => runner.run(order, uuidOf(orderId), command, newContext(accountId));
    const check = () =>
      orders.check(orderId, newContext(accountId)).catch((error: unknown) => (error as Error).name);
    const checked = async () => {
      const due: unknown[] = [];
      for await (const { type, data } of store.readStream(`order-${uuidOf(orderId)}`))
        if (type === 'PaymentsChecked') due.push((data as { readonly checksAt: unknown }).checksAt);
      return due;
    };
    for (const command of [commands.PlaceOrder(), commands.RecordPayment(), commands.CancelOrder()])
      await run(command);
    const [inADay, inThreeDays, inAWeek] = [
      '2026-01-06T12:00:00.000Z',
      '2026-01-08T12:00:00.000Z',
      '2026-01-12T12:00:00.000Z',
    ];
    const first = [inADay, inThreeDays, inAWeek];

    processor.behave('down');
    clock.advance(hourMs);
    expect(await check()).to.equal(PaymentsUnavailable.name);
    expect(await checked()).to.deep.equal([first]);
    expect(await check()).to.equal(undefined);
    clock.advance(7 * dayMs);
    expect(await check()).to.equal(PaymentsUnavailable.name);
    expect(await check()).to.equal(PaymentsUnavailable.name);
    expect(await checked()).to.deep.equal([first]);
    processor.behave('normal');
    expect(await check()).to.equal(undefined);
    expect(await checked()).to.deep.equal([first, []]);
  });
});
