import { expect } from 'chai';
import type { Billing } from '../../contracts/resources/card-billing.ts';
import {
  outcomeOf,
  startWholeService,
  type WholeService,
} from '../../infra/verification/security/whole-service.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { prices, startCardService } from '../testing/cards.ts';

type Cards = Awaited<ReturnType<typeof startCardService>>;

describe('a subscription by card, over HTTP', () => {
  let cards: Cards;
  before(async () => {
    cards = await startCardService();
  });
  after(() => cards.close());
  afterEach(() => cards.processor.fail(undefined));

  /** Sends all events of the processor from an index on. */
  const sendSince = async (index: number) => {
    for (const event of cards.processor.events.slice(index)) await cards.call(event);
  };
  /** A subscriber, after all callbacks. */
  const subscriber = async () => {
    const buyer = await cards.buyer();
    const index = cards.processor.events.length;
    const subscription = cards.processor.ledger.complete(buyer.checkoutId);
    await sendSince(index);
    await cards.shows(buyer.token, { tier: 'personal', status: 'active' });
    return { ...buyer, subscription };
  };

  it('shows nothing before there is one', async () => {
    const { token } = await cards.service.staff.account('free');
    await cards.service.caughtUp();
    expect(await cards.billing(token)).to.deep.equal({
      ...{ tier: 'free', status: 'none', current_period_end: null, cancel_at_period_end: false },
      ...{ payment_method: null, invoices: [] },
    });
  });

  it('begins with a page of the processor', async () => {
    const { page, accountId, checkoutId } = await cards.buyer();
    expect(Date.parse(String(page.json.expires_at))).to.be.greaterThan(Date.now());
    expect(cards.processor.ledger.checkout(checkoutId)).to.include({ client_reference_id: accountId });
  });

  it('gives the tier once it is paid, with a receipt and the card that paid', async () => {
    const { token, accountId, subscription } = await subscriber();
    const shown = await cards.billing(token);
    const [item] = subscription.items.data;
    expect(shown).to.deep.include({
      current_period_end: new Date((item?.current_period_end ?? 0) * 1000).toISOString(),
      payment_method: { brand: 'visa', last4: '4242' },
    });
    const [invoice, ...more] = shown.invoices as Billing['invoices'];
    expect(invoice).to.include({ status: 'paid', amount_cents: 900, currency: 'usd', tier: 'personal' });
    expect(more).to.have.length(0);
    await until(async () => (await cards.mails(accountId, 'billing-receipt')).length === 1);
  });

  it('gives the tier in a trial, for which there is no receipt', async () => {
    const { token, accountId, checkoutId } = await cards.buyer();
    const index = cards.processor.events.length;
    cards.processor.ledger.complete(checkoutId, { status: 'trialing' });
    await sendSince(index);
    await cards.shows(token, { tier: 'personal', status: 'trialing' });
    expect(await cards.recorded(accountId, 'InvoicePaid')).to.have.length(1);
    // A later event of the same stream. Once its effect shows, all earlier events have been reacted to.
    cards.processor.ledger.cancel([...cards.processor.ledger.subscriptions.keys()].at(-1) ?? '');
    await sendSince(index);
    await cards.shows(token, { tier: 'free' });
    expect(await cards.mails(accountId, 'billing-receipt')).to.have.length(0);
  });

  it('gives no tier before it is paid', async () => {
    const { token, checkoutId } = await cards.buyer();
    const index = cards.processor.events.length;
    cards.processor.ledger.complete(checkoutId, { status: 'incomplete' });
    await sendSince(index);
    await cards.shows(token, { tier: 'free', status: 'incomplete' });
  });

  it('keeps the tier while it is past due, and mails that the payment failed', async () => {
    const { token, accountId, subscription } = await subscriber();
    const index = cards.processor.events.length;
    const invoice = cards.processor.ledger.renew(subscription.id, false);
    await sendSince(index);
    await cards.shows(token, { tier: 'personal', status: 'past_due' });
    await until(async () => (await cards.mails(accountId, 'payment-failed')).length === 1);
    cards.processor.ledger.retry(invoice.id);
    await sendSince(index);
    await cards.shows(token, { tier: 'personal', status: 'active' });
    await until(async () => (await cards.mails(accountId, 'billing-receipt')).length === 2);
  });

  it('ends at the tier free', async () => {
    const { token, subscription } = await subscriber();
    const index = cards.processor.events.length;
    cards.processor.ledger.cancel(subscription.id);
    await sendSince(index);
    await cards.shows(token, { tier: 'free', status: 'canceled' });
  });

  it('follows the price to another tier', async () => {
    const { token, subscription } = await subscriber();
    const index = cards.processor.events.length;
    cards.processor.ledger.changePrice(subscription.id, prices.team);
    await sendSince(index);
    await cards.shows(token, { tier: 'team', status: 'active' });
  });

  it('is changed and not bought a second time', async () => {
    const { token } = await subscriber();
    const page = await cards.checkout(token, 'team');
    expect(page.status).to.equal(200);
    expect(page.json.url).to.contain('/portal/');
  });

  it('is managed on a page of the processor', async () => {
    const { token } = await cards.buyer();
    const page = await cards.service.call('POST /v1/billing/portal-session', { token, body: {} });
    expect(page.status).to.equal(200);
    expect(page.json.url).to.contain('/portal/');
  });

  it('is announced a week before it renews', async () => {
    const other = await startCardService();
    try {
      const { token, accountId, checkoutId } = await other.buyer();
      other.processor.ledger.complete(checkoutId);
      for (const event of other.processor.events) await other.call(event);
      await other.shows(token, { status: 'active' });
      other.clock.advance(24 * 86_400_000);
      await until(async () => (await other.mails(accountId, 'billing-renewal-reminder')).length === 1);
      expect(await other.recorded(accountId, 'RenewalNear')).to.have.length(1);
    } finally {
      await other.close();
    }
  });

  describe('its tiers', () => {
    it('are those that have a price', async () => {
      const { token } = await cards.service.staff.account('free');
      expect(outcomeOf(await cards.checkout(token, 'agency'))).to.equal('bad-request');
      expect(outcomeOf(await cards.checkout(token, 'golden'))).to.equal('validation-failed');
    });

    it('are for the owner of the account to buy', async () => {
      const { token } = await cards.service.staff.account('free', ['read', 'write']);
      expect(outcomeOf(await cards.checkout(token))).to.equal('forbidden');
    });
  });

  describe('its callbacks', () => {
    it('are refused when they are forged, old or not signed', async () => {
      const { checkoutId, token } = await cards.buyer();
      const index = cards.processor.events.length;
      cards.processor.ledger.complete(checkoutId);
      const text = JSON.stringify(cards.processor.events[index]);
      const { sign } = cards.processor;
      const old = new Date(cards.clock.now().getTime() - 301_000);
      const wrong = [
        {},
        { 'stripe-signature': 't=1,v1=00' },
        { 'stripe-signature': 'nonsense' },
        { ...sign(`${text} `) },
        { ...sign(text, old) },
      ];
      for (const headers of wrong)
        expect(outcomeOf(await cards.call(text, headers)), JSON.stringify(headers)).to.equal('bad-request');
      expect(await cards.billing(token)).to.include({ tier: 'free' });
    });

    it('are acknowledged when they are about something unknown here', async () => {
      const event = {
        id: 'evt_x',
        object: 'event',
        type: 'customer.tax_id.created',
        created: 1,
        data: { object: {} },
      };
      expect(await cards.call(event)).to.include({ status: 200 });
      const stranger = { object: 'subscription', id: 'sub_x', customer: 'cus_x' };
      const unknown = {
        ...event,
        id: 'evt_y',
        type: 'customer.subscription.updated',
        data: { object: stranger },
      };
      expect(await cards.call(unknown)).to.include({ status: 200 });
    });

    it('are refused when they are signed and are no events', async () => {
      for (const text of ['', '[]', '{"id":"evt_1"}', 'no json'])
        expect(outcomeOf(await cards.call(text)), text).to.equal('bad-request');
    });

    it('have one effect, in any order, twenty at once and doubled', async () => {
      const { token, accountId, checkoutId } = await cards.buyer();
      const index = cards.processor.events.length;
      const subscription = cards.processor.ledger.complete(checkoutId);
      cards.processor.ledger.renew(subscription.id, false);
      const [invoice] = [...cards.processor.ledger.invoices.values()].slice(-1);
      cards.processor.ledger.retry(invoice?.id ?? '');
      const happened = cards.processor.events.slice(index).toReversed();
      const sent = Array.from({ length: 20 }, (_, each) => happened[each % happened.length] ?? {});
      const answers = await Promise.all(sent.map((event) => cards.call(event)));
      expect(answers.map(({ status }) => status)).to.deep.equal(sent.map(() => 200));
      await cards.shows(token, { tier: 'personal', status: 'active' });
      await until(async () => (await cards.mails(accountId, 'billing-receipt')).length === 2);
      const kept = (await cards.service.allEvents()).filter(
        ({ type, data }) =>
          type === 'CardEventReceived' &&
          happened.some(({ id }) => id === (data as { eventId: string }).eventId),
      );
      expect(kept).to.have.length(happened.length);
      expect(await cards.recorded(accountId, 'InvoicePaid')).to.have.length(2);
    });

    it('that were lost are found out about after a read', async () => {
      const { token, checkoutId } = await cards.buyer();
      cards.processor.ledger.complete(checkoutId);
      await cards.shows(token, { tier: 'personal', status: 'active' });
    });
  });

  describe('while the processor fails', () => {
    it('a page is refused as soon as it is known, and reads go on', async () => {
      const { token } = await subscriber();
      for (const fault of [
        { kind: 'away' },
        { kind: 'status', status: 500 },
        { kind: 'status', status: 429 },
      ] as const) {
        cards.processor.fail(fault);
        expect(outcomeOf(await cards.checkout(token)), fault.kind).to.equal('payments-unavailable');
        expect(await cards.billing(token)).to.include({ tier: 'personal' });
      }
    });

    it('a processor that is slow is given up', async () => {
      const { token } = await cards.service.staff.account('free');
      cards.processor.fail({ kind: 'slow', ms: 4000 });
      expect(outcomeOf(await cards.checkout(token))).to.equal('payments-unavailable');
    });

    it('callbacks are kept, and take effect when it is back', async () => {
      const { token, checkoutId } = await cards.buyer();
      const index = cards.processor.events.length;
      cards.processor.ledger.complete(checkoutId);
      cards.processor.fail({ kind: 'away' });
      for (const event of cards.processor.events.slice(index))
        expect((await cards.call(event)).status).to.equal(200);
      cards.processor.fail(undefined);
      await cards.shows(token, { tier: 'personal' });
    });

    it('an account has one customer, though the answer was lost', async () => {
      const { token, accountId } = await cards.service.staff.account('free');
      cards.processor.fail({ kind: 'lost' });
      expect(outcomeOf(await cards.checkout(token))).to.equal('payments-unavailable');
      cards.processor.fail(undefined);
      expect((await cards.checkout(token)).status).to.equal(200);
      expect(cards.customersOf(accountId)).to.have.lengthOf(1);
    });
  });
});

describe('subscriptions by card where no processor is configured', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());

  for (const [target, body] of [
    ['POST /v1/billing/checkout-session', { tier: 'personal' }],
    ['POST /v1/billing/portal-session', {}],
    ['POST /v1/webhooks/card', {}],
  ] as const)
    it(`are not available: ${target}`, async () => {
      const { token } = await service.staff.account('free');
      expect(outcomeOf(await service.call(target, { token, body }))).to.equal('feature-unavailable');
    });
});
