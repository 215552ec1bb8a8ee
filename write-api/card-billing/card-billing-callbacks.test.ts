import { expect } from 'chai';
import type { Billing } from '../../contracts/resources/card-billing.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { prices, startCardService } from '../testing/cards.ts';

describe('a callback about what the card processor has nothing of', () => {
  let cards: Awaited<ReturnType<typeof startCardService>>;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());

  it('counts by what it says', async () => {
    const { token, accountId, page } = await cards.buyer();
    const { customerId } = (await cards.recorded(accountId, 'CardCustomerCreated'))[0]?.data as {
      customerId: string;
    };
    expect(page.status).to.equal(200);
    const created = Math.floor(cards.clock.now().getTime() / 1000);
    const period = { current_period_start: created, current_period_end: created + 30 * 86_400 };
    const subscription = {
      ...{ id: 'sub_elsewhere', object: 'subscription', status: 'active', customer: customerId, created },
      items: { data: [{ ...period, price: { id: prices.personal } }] },
    };
    const invoice = {
      ...{ id: 'in_elsewhere', object: 'invoice', status: 'paid', customer: customerId, created },
      ...{ currency: 'usd', amount_paid: 900, subscription: subscription.id },
      ...{ customer_email: 'ada@example.org', customer_name: 'Ada Lovelace' },
    };
    const event = (id: string, type: string, object: object, at: number) => ({
      ...{ id: `evt_elsewhere_${id}`, object: 'event', type, created: at, data: { object } },
    });
    const ended = { ...subscription, status: 'canceled' };
    await cards.call(event('1', 'customer.subscription.created', subscription, created));
    await cards.call(event('2', 'invoice.paid', invoice, created));
    const shown = await cards.shows(token, { tier: 'personal', status: 'active' });
    expect(shown).to.have.property('current_period_end');
    await until(async () => (await cards.mails(accountId, 'billing-receipt')).length === 1);
    await cards.call(event('3', 'customer.subscription.deleted', ended, created + 2));
    await cards.shows(token, { tier: 'free', status: 'canceled' });
    await cards.call(event('4', 'customer.subscription.updated', subscription, created + 1));
    await cards.call(event('5', 'invoice.payment_succeeded', { ...invoice, id: 'in_later' }, created + 3));
    await until(async () => (await cards.recorded(accountId, 'InvoicePaid')).length === 2);
    expect(await cards.billing(token)).to.include({ tier: 'free', status: 'canceled' });
    const recorded = (await cards.service.allEvents()).map(({ data }) => data);
    expect(JSON.stringify(recorded)).not.to.match(/ada@example\.org|Lovelace/);
  });
});

describe('a callback about an invoice that nobody has to pay any more', () => {
  let cards: Awaited<ReturnType<typeof startCardService>>;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());

  for (const status of ['void', 'uncollectible'] as const)
    it(`takes it from the list, until it is paid after all: ${status}`, async () => {
      const { token, accountId, checkoutId } = await cards.buyer();
      const { events, ledger } = cards.processor;
      const index = events.length;
      const lists = async (...expected: readonly string[]) => {
        for (const event of events.slice(index)) await cards.call(event);
        await until(async () => {
          const { invoices } = (await cards.billing(token)) as unknown as Billing;
          return invoices.map((each) => each.status).join() === expected.join();
        });
      };
      const subscription = ledger.complete(checkoutId);
      const { id } = ledger.renew(subscription.id, false);
      await lists('open', 'paid');
      ledger.close(id, status);
      await lists('paid');
      expect(await cards.recorded(accountId, 'InvoiceClosed')).to.have.length(1);
      ledger.retry(id);
      await lists('paid', 'paid');
    });
});
