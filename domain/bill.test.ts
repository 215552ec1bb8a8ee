import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderEvent } from '../contracts/events/order.ts';
import type { SubscriptionEvent } from '../contracts/events/subscription.ts';
import type { DataOf } from './kit/decider.ts';
import { billLineOf, priceUnder } from './bill.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const orderId = 'ord_00000000-0000-4000-8000-000000000002';
const [cause, id] = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004'];
const at = '2026-03-31T23:59:59.999Z';

const invoicePaid: DataOf<SubscriptionEvent, 'InvoicePaid'> = {
  ...{
    accountId,
    invoiceId: 'in_1',
    subscriptionId: 'sub_1',
    tier: 'personal',
    amountCents: 1200,
    currency: 'usd',
  },
  ...{ periodStart: at, periodEnd: at, paidAt: at, at: '2026-04-01T00:00:00.000Z' },
};
const orderPaid: DataOf<OrderEvent, 'OrderPaid'> = {
  ...{ orderId, accountId, product: 'api_builder_month', priceCents: 4900, priceCurrency: 'usd', at },
  ...{ paymentId: '1', amountPaid: '49000', tier: 'api_builder', days: 30 },
};
const root = '0197f1a0-0000-7000-8000-0000000000aa';
const logged = (type: string, data: object, causation_id = cause) => ({
  id,
  type,
  data,
  metadata: { correlation_id: root, causation_id },
});
const line = (type: string, data: object, causation?: string) => billLineOf(logged(type, data, causation));

describe('a line of a bill', () => {
  it('is an invoice, in the month in which it was paid, with the events that it follows from', () => {
    expect(line('InvoicePaid', invoicePaid)).to.deep.equal({
      ...{
        reference: 'in_1',
        accountId,
        period: '2026-03',
        kind: 'card',
        item: 'personal',
        amountCents: 1200,
      },
      ...{ currency: 'usd', paidAt: at, eventIds: [cause, id] },
    });
  });

  it('is an order, for the price that was agreed on', () => {
    expect(line('OrderPaid', orderPaid)).to.deep.include({
      ...{
        reference: orderId,
        kind: 'crypto',
        item: 'api_builder_month',
        amountCents: 4900,
        currency: 'usd',
      },
    });
  });

  it('names only events as causes', () => {
    for (const causation of [root, 'order_sweep-ord_1 2026-04-01', 'service command', 'req_1'])
      expect(line('OrderPaid', orderPaid, causation)).to.have.deep.property('eventIds', [id]);
  });

  it('does not exist for an amount of zero', () => {
    expect(line('InvoicePaid', { ...invoicePaid, amountCents: 0 })).to.equal(undefined);
  });
});

describe('a bill', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 });

  it('is the exact sum of what was paid, and each cent has its event', () => {
    const paid = fc.array(fc.record({ isOrder: fc.boolean(), amount: cents }));
    fc.assert(
      fc.property(paid, (payments) => {
        const lines = payments.map(({ isOrder, amount }, index) => {
          const [type, data] = isOrder
            ? ['OrderPaid', { ...orderPaid, priceCents: amount }]
            : ['InvoicePaid', { ...invoicePaid, amountCents: amount }];
          return billLineOf({ ...logged(type, data), id: `event ${index}` });
        });
        const explained = lines.flatMap((each) => each ?? []);
        expect(explained.reduce((sum, { amountCents }) => sum + amountCents, 0)).to.equal(
          payments.reduce((sum, { amount }) => sum + amount, 0),
        );
        for (const { eventIds } of explained) expect(eventIds.at(-1)).to.match(/^event /);
      }),
    );
  });

  it('under another tariff uses its prices, and the original price of an item that it does not list', () => {
    const tariff = { cards: { personal: 1000 }, crypto: { api_builder_month: 5000, personal: 1 } };
    const price = (kind: 'card' | 'crypto', item: string | null) =>
      priceUnder({ kind, item, amountCents: 7 }, tariff);
    expect(price('card', 'personal')).to.equal(1000);
    expect(price('crypto', 'api_builder_month')).to.equal(5000);
    expect(price('card', 'team')).to.equal(7);
    expect(price('card', null)).to.equal(7);
  });
});
