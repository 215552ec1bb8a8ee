import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { startCardStandIn, type CardStandIn } from '../../verification/testbed/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { describeInvoice, describeSubscription, isClosed } from './answers.ts';
import { apiVersion, createStripeProcessor } from './stripe.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000001');
const prices = { personal: 'price_personal' } as const;
const secrets = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' };

describe('the adapter of the card processor', () => {
  let standIn: CardStandIn;
  before(async () => {
    standIn = await startCardStandIn({ ...secrets, prices: { [prices.personal]: 900 } });
  });
  after(() => standIn.close());
  afterEach(() => standIn.fail(undefined));

  const adapter = (more: Partial<Parameters<typeof createStripeProcessor>[0]> = {}) =>
    createStripeProcessor({
      ...{ ...secrets, apiUrl: standIn.url, prices, returnUrl: 'https://console.example/billing' },
      ...{ clock, logger: pino({ level: 'silent' }), timeoutMs: 500, ...more },
    });
  const failure = async (call: Promise<unknown>): Promise<Refusal> => {
    const error: unknown = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Refusal)) throw new Error('It was not refused.', { cause: error });
    return error;
  };

  it('sends forms of one version of the API, with an idempotency key', async () => {
    await adapter().createCustomer(accountId, 'customer-1');
    expect(standIn.requests.at(-1)).to.include({
      ...{ method: 'POST', path: '/v1/customers', version: apiVersion, idempotencyKey: 'customer-1' },
      text: `metadata[account_id]=${accountId}`,
    });
  });

  it('calls the API below the path of its address', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json').end('{"id":"cus_1","object":"customer"}');
    });
    await once(server.listen(0, '::1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const made = await adapter({ apiUrl: `http://[::1]:${port}/cards/` }).createCustomer(accountId, 'a');
      expect([made, asked]).to.deep.equal(['cus_1', ['POST /cards/v1/customers']]);
    } finally {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    }
  });

  it('makes one thing of a call that is made again, and none of the same key for another call', async () => {
    const before = standIn.ledger.customers.size;
    const [first, again] = [
      await adapter().createCustomer(accountId, 'customer-2'),
      await adapter().createCustomer(accountId, 'customer-2'),
    ];
    expect(again).to.equal(first);
    expect(standIn.ledger.customers.size).to.equal(before + 1);
    const other = toId('account', '0197f1a0-0000-7000-8000-000000000002');
    expect(await failure(adapter().createCustomer(other, 'customer-2'))).to.include({
      slug: 'payments-unavailable',
    });
  });

  it('says whether trying again helps', async () => {
    standIn.fail({ kind: 'away' });
    expect((await failure(adapter().createCustomer(accountId, 'a'))).extensions).to.have.property(
      'retry_after_seconds',
    );
    standIn.fail(undefined);
    const wrongKey = adapter({ secretKey: 'sk_other' });
    expect((await failure(wrongKey.createCustomer(accountId, 'a'))).extensions).to.deep.equal({});
  });

  it('gives up a call that takes too long', async () => {
    standIn.fail({ kind: 'slow', ms: 3000 });
    const begun = performance.now();
    await failure(adapter().createCustomer(accountId, 'slow'));
    expect(performance.now() - begun).to.be.lessThan(2500);
  });

  it('finds nothing of a customer that the processor does not have', async () => {
    const question = { customerId: 'cus_none', subscriptionId: 'sub_none', invoiceId: 'in_none' };
    expect(await adapter().ask(question)).to.deep.equal({
      subscriptions: [],
      invoices: [],
      closedInvoices: [],
    });
  });

  it('finds the older invoices of a customer too, unless one is named', async () => {
    const customerId = await adapter().createCustomer(accountId, 'busy');
    const sold = { customer: customerId, client_reference_id: accountId, success_url: '', metadata: {} };
    const { id } = standIn.ledger.addCheckout({ ...sold, price: prices.personal }, () => '');
    const subscription = standIn.ledger.complete(id);
    const renewed = Array.from({ length: 30 }, () => standIn.ledger.renew(subscription.id));
    expect((await adapter().ask({ customerId })).invoices).to.have.length(31);
    const [named] = renewed;
    const { invoices } = await adapter().ask({ customerId, ...(named && { invoiceId: named.id }) });
    expect(invoices.map(({ invoiceId }) => invoiceId))
      .to.have.length(21)
      .and.to.include(named?.id);
  });
});

describe('the objects of the card processor', () => {
  const tierOf = (price: string | null) => (price === 'price_personal' ? 'personal' : undefined);
  const period = { current_period_start: 1_767_614_400, current_period_end: 1_770_292_800 };
  const item = { price: { id: 'price_personal' } };
  const base = { id: 'sub_1', status: 'active', created: 1_767_614_400 };

  it('are read wherever a version of the API has the period', () => {
    const now = describeSubscription({ ...base, items: { data: [{ ...item, ...period }] } }, tierOf);
    const before = describeSubscription({ ...base, ...period, items: { data: [item] } }, tierOf);
    expect(now).to.deep.equal(before);
    expect(now).to.include({ tier: 'personal', currentPeriodEnd: '2026-02-05T12:00:00.000Z' });
  });

  it('are of the tier they were sold as, where the price is not sold any more', () => {
    const old = { ...base, items: { data: [{ price: 'price_old' }] }, metadata: { tier: 'team' } };
    expect(describeSubscription(old, tierOf)).to.include({ tier: 'team' });
    expect(describeSubscription({ ...old, metadata: {} }, tierOf)).to.include({ tier: null });
  });

  it('keep the tier that was recorded once their plan was changed, where its price is not sold any more', () => {
    const changed = { ...base, items: { data: [{ price: 'price_old' }] }, metadata: { tier: 'agency' } };
    expect(describeSubscription(changed, tierOf, 'team')).to.include({ tier: 'team' });
    const sold = { ...changed, items: { data: [item] } };
    expect(describeSubscription(sold, tierOf, 'team')).to.include({ tier: 'personal' });
  });

  it('end with the period also where they have a date to end at', () => {
    const ending = { ...base, ...period, cancel_at: period.current_period_end };
    expect(describeSubscription(ending, tierOf)).to.include({ cancelAtPeriodEnd: true });
    expect(describeSubscription({ ...ending, cancel_at: null }, tierOf)).to.include({
      cancelAtPeriodEnd: false,
    });
  });

  it('are passed over with a status that is not known', () => {
    expect(describeSubscription({ ...base, status: 'pondering' }, tierOf)).to.equal(undefined);
  });

  const invoice = {
    ...{ id: 'in_1', created: 1_767_614_400, currency: 'usd', amount_due: 900 },
    ...{ period_start: 1_767_614_400, period_end: 1_767_614_400 },
  };

  it('name their subscription in two places', () => {
    const paid = { ...invoice, status: 'paid', amount_paid: 900 };
    const details = { subscription_details: { subscription: 'sub_1' } };
    for (const each of [
      { ...paid, subscription: 'sub_1' },
      { ...paid, parent: details },
    ])
      expect(describeInvoice(each, tierOf, false)).to.include({ subscriptionId: 'sub_1', amountCents: 900 });
  });

  describe('that are invoices after a change of plan', () => {
    const [changed, renewed, ends] = ['2026-03-11', '2026-04-01', '2026-05-01'].map(
      (day) => Date.parse(day) / 1000,
    );
    const tiers = (price: string | null) => (price === 'price_team' ? 'team' : tierOf(price));
    const line = (amount: number, price: string, [start = 0, end = 0]: readonly (number | undefined)[]) => ({
      ...{ amount, period: { start, end }, pricing: { price_details: { price } } },
    });
    const credit = line(-2000, 'price_team', [changed, renewed]);
    const rest = line(600, 'price_personal', [changed, renewed]);
    const next = line(900, 'price_personal', [renewed, ends]);
    const paid = { ...invoice, status: 'paid', amount_paid: 0 };
    const factsOf = (...data: readonly object[]) =>
      describeInvoice({ ...paid, lines: { data } }, tiers, false);

    for (const [version, proration, regular] of [
      [
        'this version of the API',
        { parent: { invoice_item_details: { proration: true } } },
        { parent: { subscription_item_details: { proration: false } } },
      ],
      ['an older one', { proration: true }, { proration: false }],
    ] as const)
      it(`name the period that begins, and its tier, in ${version}`, () => {
        const described = factsOf(
          { ...credit, ...proration },
          { ...rest, ...proration },
          { ...next, ...regular },
        );
        expect(described).to.include({
          tier: 'personal',
          periodStart: '2026-04-01T00:00:00.000Z',
          periodEnd: '2026-05-01T00:00:00.000Z',
        });
      });
    it('name what was charged if the change was charged at once', () => {
      const proration = { proration: true };
      const [unused, upgraded] = [
        line(-600, 'price_personal', [changed, renewed]),
        line(2000, 'price_team', [changed, renewed]),
      ];
      expect(factsOf({ ...unused, ...proration }, { ...upgraded, ...proration })).to.include({
        tier: 'team',
        periodStart: '2026-03-11T00:00:00.000Z',
        periodEnd: '2026-04-01T00:00:00.000Z',
      });
    });
  });

  it('are invoices that failed once they were tried, or a callback says so', () => {
    const open = { ...invoice, status: 'open' };
    expect(describeInvoice(open, tierOf, false)).to.equal(undefined);
    expect(describeInvoice(open, tierOf, true)).to.include({ attempt: 1, paidAt: null });
    expect(describeInvoice({ ...open, attempted: true, attempt_count: 2 }, tierOf, false)).to.include({
      attempt: 2,
    });
    expect(describeInvoice({ ...open, status: 'void' }, tierOf, true)).to.equal(undefined);
  });

  it('are invoices that are closed once they are voided or given up', () => {
    const closed = ['draft', 'open', 'paid', 'void', 'uncollectible'].filter((status) =>
      isClosed({ ...invoice, status }),
    );
    expect(closed).to.deep.equal(['void', 'uncollectible']);
  });
});
