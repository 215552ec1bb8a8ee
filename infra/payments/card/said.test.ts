import { expect } from 'chai';
import { saidIn } from './said.ts';

const tierOf = (price: string | null) => (price === 'price_personal' ? 'personal' : undefined);
const created = 1_767_614_400;
const subscription = {
  ...{ id: 'sub_1', object: 'subscription', status: 'active', created },
  items: { data: [{ current_period_end: created, price: { id: 'price_personal' } }] },
};
const invoice = {
  ...{ id: 'in_1', object: 'invoice', status: 'paid', created, currency: 'usd', amount_paid: 900 },
  ...{ customer_email: 'ada@example.org', customer_address: { line1: 'Here' } },
};
const said = (object: unknown, kind = 'invoice.paid') => saidIn(object, kind, tierOf);

describe('what a callback of the card processor says', () => {
  it('is read as an answer is', () => {
    expect(said(subscription).subscription).to.include({ tier: 'personal', status: 'active' });
    expect(said(invoice).invoice).to.include({ amountCents: 900, paidAt: '2026-01-05T12:00:00.000Z' });
  });

  it('has nothing of people', () =>
    expect(JSON.stringify(said({ ...subscription, ...invoice, object: 'invoice' }))).not.to.match(
      /ada@example|Here/,
    ));

  it('is a failed payment only where the callback says that it failed', () => {
    const open = { ...invoice, status: 'open', amount_due: 900 };
    expect(said(open)).to.deep.equal({});
    expect(said(open, 'invoice.payment_failed').invoice).to.include({ attempt: 1, paidAt: null });
  });

  it('is nothing where it cannot be read', () => {
    for (const object of [
      ...[undefined, null, 5, [], {}],
      ...[
        { ...subscription, created: 'x' },
        { ...subscription, created: 1e300 },
      ],
      ...[
        { ...subscription, status: 'pondering' },
        { ...subscription, id: '' },
      ],
      ...[
        { ...subscription, items: { data: [null] } },
        { ...invoice, currency: 'dollars' },
      ],
      ...[
        { ...invoice, amount_paid: -1 },
        { ...invoice, amount_paid: 1.5 },
        { ...invoice, lines: [] },
        { ...invoice, lines: { data: [{ proration: 'yes' }] } },
      ],
      { id: 'cs_1', object: 'checkout.session', created },
    ])
      expect(said(object), JSON.stringify(object)).to.deep.equal({});
  });
});
