import { expect } from 'chai';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import type { StoredPayment } from '../../testbed/index.ts';
import type { Invariant } from './invariant.ts';
import { acknowledgedIsStored } from './n1-acknowledged.ts';
import { ordersArePaidOnce } from './n18-orders.ts';
import { tiersArePaidFor } from './n19-tiers.ts';
import { moneyIsExplained } from './n20-money.ts';
import { account, done, event, inOrder, soundEvidence, uuid } from './testing/index.ts';

type Payments = Evidence['payments'];

const orderId = `ord_${uuid}`;
const at = '2026-01-05T12:00:00.000Z';
const inADay = '2026-01-06T12:00:00.000Z';
const inTwoDays = '2026-01-07T12:00:00.000Z';

const of = (type: string, data: LogEvent['data'] = {}): LogEvent =>
  event(type, { stream: `order-${uuid}`, data: { orderId, paymentId: '1', ...data } });
const created = of('PaymentCreated', { payAmount: '1000', payExponent: 3 });
const paid = of('OrderPaid', { amountPaid: '1000', priceCents: 1900, tier: 'team', days: 1 });
const confirming = of('OrderConfirming', { amountPaid: '1000' });
const expired = of('OrderExpired');
const review = (reason: string, amountPaid = '1000', paymentId = '1'): LogEvent =>
  of('PaymentReviewRequested', { reason, amountPaid, paymentId, payExponent: 3 });

const payment = (changes: Partial<StoredPayment> = {}): StoredPayment => ({
  ...{ payment_id: '1', order_id: orderId, price_amount: '19.00', price_currency: 'usd' },
  ...{ pay_amount: '1', pay_currency: 'btc', pay_address: 'a', payment_status: 'finished' },
  ...{ actually_paid: '1', ipn_callback_url: '', key: '' },
  ...changes,
});
const callback: Payments['callbacks'][number] = {
  processor: 'crypto',
  id: '1',
  says: 'finished',
  amount: '1',
  isLost: false,
  isTaken: true,
};

function judge(
  invariant: Invariant,
  log: readonly LogEvent[],
  payments: Partial<Payments> = {},
  history: Evidence['history'] = [],
): string {
  const sound = soundEvidence({ log, history });
  return invariant
    .violations({ ...sound, payments: { ...sound.payments, ...payments } })
    .map(({ what }) => what)
    .join('; ');
}

describe('N18, about orders', () => {
  const found = (events: readonly LogEvent[], kept = payment(), answered: StoredPayment | null = kept) =>
    judge(ordersArePaidOnce, inOrder(of('OrderPlaced'), created, ...events), {
      crypto: [kept],
      answered: answered === null ? {} : { [kept.payment_id]: answered },
      callbacks: [callback],
    });

  it('accepts an order that was paid, or whose money is under review', () => {
    expect(found([paid])).to.equal('');
    expect(found([expired, review('late')])).to.equal('');
    const double = payment({ actually_paid: '2' });
    expect(found([paid, review('extra', '2000')], double)).to.equal('');
    const half = payment({ actually_paid: '0.5', payment_status: 'partially_paid' });
    expect(found([expired, review('partial', '500')], half)).to.equal('');
    expect(found([confirming], payment({ payment_status: 'confirming' }))).to.equal('');
  });

  it('sees an order that was paid twice', () => {
    expect(found([paid, paid])).to.equal('it was paid 2 times');
  });

  it("sees an order that is paid without the processor's confirmation", () => {
    for (const kept of [
      payment({ payment_status: 'confirming' }),
      payment({ actually_paid: '0.999' }),
      payment({ price_amount: '9.00' }),
    ])
      expect(found([paid], kept)).to.contain('it is paid, and the processor says');
  });

  it('sees money, or a part of it, without an explanation', () => {
    expect(found([expired])).to.equal('nothing explains 1 of 1, which is finished');
    expect(found([paid], payment({ actually_paid: '2' }))).to.contain('nothing explains 2 of 1');
  });

  it('sees a delivered callback without an effect, and excuses money whose callback was dropped', () => {
    const before = payment({ payment_status: 'waiting', actually_paid: '0' });
    expect(found([expired], payment(), before)).to.equal(
      'a callback about 1 was taken, and nobody has asked',
    );
    const unreported = payment({ actually_paid: '1.5' });
    expect(found([expired], unreported, before)).to.equal('');
  });

  it('sees an order that stays open', () => {
    expect(found([])).to.contain('it is open, and its payment is finished');
    expect(found([confirming])).to.contain('it is open, and its payment is finished');
  });

  it('sees a review with a false reason', () => {
    expect(found([review('late'), paid])).to.equal('a person is to look at 1, which is not late');
    expect(found([review('extra'), paid])).to.contain('which is not extra');
    expect(found([review('other_payment'), paid])).to.contain('which is not other_payment');
    expect(found([review('amount'), paid])).to.contain('which is not amount');
    expect(found([review('partial'), paid])).to.contain('which is not partial');
    expect(found([paid, review('price')])).to.contain('which is not price');
  });
});

describe('N19, about tiers', () => {
  const on = (type: string, data: LogEvent['data']): LogEvent =>
    event(type, { stream: `account-${account.slice('acc_'.length)}`, data });
  const made = on('AccountCreated', { tier: 'free' });
  const byOrder = on('EntitlementGranted', { source: orderId, tier: 'team', until: inADay });
  const byCard = on('EntitlementGranted', { source: 'card', tier: 'personal', until: null });
  const to = (tier: string): LogEvent => on('TierChanged', { to: tier });
  const subscribed = { account, tier: 'personal', status: 'active' } as const;
  const found = (
    events: readonly LogEvent[],
    orders = [paid],
    subscriptions: Payments['subscriptions'] = [],
  ) => judge(tiersArePaidFor, [...inOrder(made, ...events), ...orders], { subscriptions });

  it('accepts a tier that is the highest of those paid', () => {
    expect(found([byOrder, to('team')])).to.equal('');
    expect(found([byCard, to('personal'), byOrder, to('team')], [paid], [subscribed])).to.equal('');
    const ended = on('EntitlementEnded', { source: 'card' });
    expect(found([byCard, to('personal'), ended, to('free')], [])).to.equal('');
  });

  it('sees a paid order that gave nothing, gave twice, or gave another tier or time', () => {
    expect(found([])).to.equal(`${orderId} was paid, and gave 0 tiers`);
    expect(found([byOrder, byOrder, to('team')])).to.equal(`${orderId} was paid, and gave 2 tiers`);
    const longer = { ...byOrder, data: { ...byOrder.data, until: inTwoDays } };
    expect(found([longer, to('team')])).to.contain(`until ${inTwoDays}, not ${inADay}`);
  });

  it('sees an order whose days do not follow those before', () => {
    const source = 'ord_00000000-0000-4000-8000-0000000000b2';
    const second = { ...paid, data: { ...paid.data, orderId: source } };
    const overlapping = on('EntitlementGranted', { source, tier: 'team', until: inADay });
    expect(found([byOrder, to('team'), overlapping], [paid, second])).to.contain(`not ${inTwoDays}`);
    const following = on('EntitlementGranted', { source, tier: 'team', until: inTwoDays });
    expect(found([byOrder, to('team'), following], [paid, second])).to.equal('');
  });

  it('sees a tier that was not paid', () => {
    expect(found([byOrder, to('team')], [])).to.equal(`${orderId} gives a tier, and was not paid`);
    expect(found([byCard, to('personal')], [])).to.equal('the card gives it personal, and pays for none');
    expect(found([byOrder, to('enterprise')])).to.equal('its tier is enterprise, and it has paid for team');
  });

  it('sees a subscription that gives nothing', () => {
    expect(found([], [], [subscribed])).to.equal('the card gives it none, and pays for personal');
    expect(found([], [], [{ ...subscribed, status: 'unpaid' }])).to.equal('');
  });
});

describe('N20, about money', () => {
  const stream = `subscription-${account.slice('acc_'.length)}`;
  const invoice = { id: 'in_1', account, status: 'paid', cents: 900 };
  const invoicePaid = event('InvoicePaid', { stream, data: { invoiceId: 'in_1', amountCents: 900, at } });
  const receipt = event('MailQueued', { stream: `mail-${uuid}`, data: { template: 'billing-receipt' } });
  const bill = (cents: number) => [done('bill', 'explain', { text: JSON.stringify({ total_cents: cents }) })];
  const found = (
    log: readonly LogEvent[] = [invoicePaid, receipt],
    payments: Partial<Payments> = {},
    cents = 900,
  ) => judge(moneyIsExplained, log, { invoices: [invoice], ...payments }, bill(cents));

  it('accepts invoices that are recorded, mailed and billed once each', () => {
    expect(found()).to.equal('');
    expect(found([invoicePaid, receipt, paid], {}, 2800)).to.equal('');
  });

  it('sees an invoice that is not recorded, recorded twice, or with another amount or account', () => {
    expect(found([], {}, 0)).to.contain('in_1 of 900 cents');
    expect(found([invoicePaid, invoicePaid, receipt, receipt], {}, 1800)).to.contain('and 1 more');
    const others = [{ ...invoice, account: `acc_${uuid}` }];
    expect(found(undefined, { invoices: others })).to.contain(`by acc_${uuid}`);
    expect(found(undefined, { invoices: [{ ...invoice, cents: 1 }] })).to.contain('in_1 of 1 cents');
  });

  it('sees an invoice that was not paid', () => {
    expect(found(undefined, { invoices: [{ ...invoice, status: 'open' }] })).to.equal('in_1 was not paid');
  });

  it('sees a missing receipt, and a superfluous one', () => {
    expect(found([invoicePaid])).to.equal(`${account} has 0 receipts for 1 paid invoices`);
    expect(found([invoicePaid, receipt, receipt])).to.equal(`${account} has 2 receipts for 1 paid invoices`);
  });

  it('sees a bill that is not what was paid', () => {
    expect(found(undefined, {}, 800)).to.equal(`the bills of ${account} come to 800 cents, and it paid 900`);
  });

  it('sees an account with two customers', () => {
    const customers = ['cus_1', 'cus_2'].map((id) => ({ id, account }));
    expect(found(undefined, { customers })).to.equal(`${account} has 2 customers at the card processor`);
  });

  it('sees a callback that was answered but not recorded, one that was never answered, and a card’s that was recorded twice', () => {
    const kept = of('CryptoEventReceived', { paymentId: '1', status: 'finished' });
    const inLog = { ...kept, category: 'processor_event' };
    expect(found([invoicePaid, receipt, inLog], { callbacks: [callback] })).to.equal('');
    expect(found(undefined, { callbacks: [callback] })).to.contain('was taken, and is not in the log');
    expect(found(undefined, { callbacks: [{ ...callback, isTaken: false }] })).to.contain('was never taken');
    const lost = { ...callback, isLost: true, isTaken: false };
    expect(found(undefined, { callbacks: [lost] })).to.equal('');
    const card = { ...callback, processor: 'card', id: 'evt_1' } as const;
    const twice = event('CardEventReceived', {
      stream: `processor_event-${uuid}`,
      data: { eventId: 'evt_1' },
    });
    expect(found([invoicePaid, receipt, twice, twice], { callbacks: [card] })).to.contain(
      'is in the log 2 times',
    );
  });
});

describe('the invariant of acknowledged commands, on a checkout', () => {
  it('takes the portal for a page of checkout, which a subscribed account gets, but not none', () => {
    const judged = (...log: readonly LogEvent[]) =>
      judge(acknowledgedIsStored, log, {}, [done('buy', 'open-checkout')]);
    for (const type of ['CheckoutOpened', 'PortalOpened'])
      expect(judged(event(type, { requestId: 'buy' }))).to.equal('');
    expect(judged()).to.equal('an acknowledged open-checkout left no CheckoutOpened or PortalOpened');
  });
});
