import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { toId, uuidOf, type AccountId } from '../contracts/ids.ts';
import type { Bill } from '../contracts/resources/bill.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

type Key = Awaited<ReturnType<ReadApi['addAccount']>>['key'];

describe('an account’s bill', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const explain = async ({ text: token }: Key, period: string): Promise<Bill> =>
    (await api.call(`GET /v1/billing/explain?period=${period}`, { token })).json as unknown as Bill;

  const payInvoice = (accountId: AccountId, amountCents: number, paidAt: string, currency = 'usd') => {
    const invoiceId = `in_${randomUUID()}`;
    const subscription = {
      subscriptionId: 'sub_1',
      tier: 'personal',
      periodStart: paidAt,
      periodEnd: paidAt,
    };
    const data = { accountId, invoiceId, ...subscription, amountCents, currency, paidAt, at: paidAt };
    return api.write(accountId, `subscription-${uuidOf(accountId)}`, [{ type: 'InvoicePaid', data }]);
  };
  const payOrder = (accountId: AccountId, priceCents: number, at: string) => {
    const orderId = toId('order', randomUUID());
    const bought = {
      product: 'api_builder_month',
      tier: 'api_builder',
      days: 30,
      paymentId: '1',
      amountPaid: '49000',
    };
    const data = { accountId, orderId, ...bought, priceCents, priceCurrency: 'usd', at };
    return api.write(accountId, `order-${uuidOf(orderId)}`, [{ type: 'OrderPaid', data }]);
  };

  it('explains each cent of a month with its events, and nothing of other months and accounts', async () => {
    const [{ account, key }, other] = [await api.addAccount(), await api.addAccount()];
    await payInvoice(account, 1200, '2026-03-31T23:59:59.999Z');
    await payInvoice(account, 800, '2026-04-01T00:00:00.000Z');
    await payInvoice(account, 0, '2026-03-05T00:00:00.000Z');
    await payOrder(account, 4900, '2026-03-01T00:00:00.000Z');
    await payOrder(other.account, 1, '2026-03-01T00:00:00.000Z');

    const bill = await explain(key, '2026-03');
    expect(bill).to.deep.include({
      ...{ period: '2026-03', total_cents: 6100, totals: [{ currency: 'usd', amount_cents: 6100 }] },
    });
    expect(bill.lines.map(({ amount_cents, kind, item }) => [amount_cents, kind, item])).to.deep.equal([
      [4900, 'crypto', 'api_builder_month'],
      [1200, 'card', 'personal'],
    ]);
    for (const { event_ids } of bill.lines) expect(event_ids).to.have.length.at.least(1);
    expect((await explain(key, '2026-04')).total_cents).to.equal(800);
  });

  it('adds up each currency by itself', async () => {
    const { account, key } = await api.addAccount();
    await payInvoice(account, 1200, '2026-03-02T00:00:00.000Z');
    await payInvoice(account, 900, '2026-03-03T00:00:00.000Z', 'jpy');
    await payOrder(account, 4900, '2026-03-04T00:00:00.000Z');
    expect((await explain(key, '2026-03')).totals).to.deep.equal([
      { currency: 'jpy', amount_cents: 900 },
      { currency: 'usd', amount_cents: 6100 },
    ]);
  });

  it('of a month without payments is nothing, and a month that is none is refused', async () => {
    const { key } = await api.addAccount();
    const nothing = { period: '2020-01', total_cents: 0, totals: [], lines: [] };
    expect(await explain(key, '2020-01')).to.deep.equal(nothing);
    for (const query of ['?period=2026-13', '?period=2026-1', '?period=', '?period=2026-01-01', ''])
      expect(
        outcomeOf(await api.call(`GET /v1/billing/explain${query}`, { token: key.text })),
        query,
      ).to.equal('validation-failed');
  });
});
