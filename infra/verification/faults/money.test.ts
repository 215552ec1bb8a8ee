import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { OrderId } from '../../../contracts/ids.ts';
import { until } from '../testbed/index.ts';
import { outcome } from './client.ts';
import { startMoney, type Money, type Payer, type PlacedOrder } from './money.ts';

const inTime = { limitMs: 30_000, everyMs: 50 };

/** Delay of each message to the event store, and of each answer: long enough to kill the process meanwhile. */
const underWayMs = 300;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * Payments happen at other companies, whose callbacks arrive at any time, even while processes are killed and stores are down.
 */
describe('What is paid', () => {
  let money: Money;
  let payer: Payer;
  before(async () => {
    money = await startMoney();
    payer = await money.payer();
  });
  afterEach(async () => {
    const { here, links } = money;
    here.stack.resumeAll();
    await Promise.all([here.stack.heal(), links.crypto.heal(), links.cards.heal()]);
    await here.stack.ready();
  });
  after(() => money.close());

  const count = (types: readonly string[], type: string): number =>
    types.filter((each) => each === type).length;
  const hasStatus = (id: OrderId, status: string) =>
    until(async () => (await payer.orderStatus(id)) === status, inTime);
  const given = async (of: Payer, id: OrderId): Promise<number> => {
    const events = await money.here.readStream(`account-${of.account.account_id.slice('acc_'.length)}`);
    return events.filter(
      ({ type, data }) => type === 'EntitlementGranted' && (data as { source: string }).source === id,
    ).length;
  };
  const mailed = async (of: Payer, template: string): Promise<number> => {
    const queued = await money.eventsOf('mail', 'MailQueued');
    return queued.filter(({ data }) => {
      const mail = data as { accountId: string; template: string };
      return mail.accountId === of.account.account_id && mail.template === template;
    }).length;
  };
  const cardEventsKept = async (eventId: string): Promise<number> => {
    const kept = await money.eventsOf('processor_event', 'CardEventReceived');
    return kept.filter(({ data }) => (data as { eventId: string }).eventId === eventId).length;
  };
  const paymentsFor = (id: OrderId) =>
    [...money.crypto.payments.values()].filter(({ order_id }) => order_id === id);
  const onlyPaymentOf = (id: OrderId): string => {
    const made = paymentsFor(id);
    expect(made).to.have.lengthOf(1);
    return String(made[0]?.payment_id);
  };
  /** The customer has paid the requested amount; no callback is sent. */
  const settle = (paymentId: string) => {
    const { pay_amount } = money.crypto.payments.get(paymentId) ?? { pay_amount: '0' };
    money.crypto.set(paymentId, { payment_status: 'finished', actually_paid: pay_amount });
  };
  /** Resets the connections to both processors, and drops what was held back. */
  const loseAnswers = async (): Promise<void> => {
    for (const link of [money.links.crypto, money.links.cards]) {
      link.cut();
      await link.heal();
    }
  };
  /** Repeats the request until the answer is the order. */
  const placedUnder = async (key: string): Promise<OrderId> => {
    const { json } = await until(async () => {
      const answer = await payer.checkout(key);
      return answer.status === 201 && answer;
    }, inTime);
    expect((await payer.checkout(key)).json).to.deep.equal(json);
    return json.id as OrderId;
  };
  const expectPaidOnce = async (id: OrderId): Promise<void> => {
    await hasStatus(id, 'paid');
    await until(async () => (await given(payer, id)) > 0, inTime);
    const types = await money.orderEvents(id);
    expect([count(types, 'OrderPaid'), count(types, 'OrderExpired')], types.join()).to.deep.equal([1, 0]);
    expect(await given(payer, id)).to.equal(1);
  };

  it('has one payment, one order and one customer when write-api dies between a processor’s answer and its record', async () => {
    const { here, crypto, cards, links } = money;
    const subscriber = await money.payer();
    const [retried, calledBack] = [randomUUID(), randomUUID()];
    const known = crypto.payments.size;
    for (const link of [links.crypto, links.cards]) link.blackhole('answers');
    const requests = [payer.checkout(retried), payer.checkout(calledBack), subscriber.subscribe()].map(
      outcome,
    );
    await until(() => crypto.payments.size === known + 2 && cards.ledger.customers.size === 1, inTime);
    await here.stack.kill('write-api');
    // Payments are made before the windows end, however long the start takes.
    const made = [...crypto.payments.values()].slice(known).map(({ order_id }) => order_id as OrderId);
    for (const id of made) settle(onlyPaymentOf(id));
    await loseAnswers();
    for (const answer of await Promise.all(requests)) expect(answer).to.be.oneOf(['broken', 502, 503]);
    await here.stack.ready();

    // For one of the two, the callback arrives before the client asks again.
    const [, early] = made;
    if (early === undefined) throw new Error('There are too few payments.');
    expect(await crypto.callBack(onlyPaymentOf(early))).to.equal(200);
    await until(async () => (await money.orderEvents(early)).includes('OrderPaid'), inTime);

    const ids = await Promise.all([retried, calledBack].map(placedUnder));
    expect(ids).to.include(early);
    expect(await money.eventsOf('order', 'OrderPlaced')).to.have.lengthOf(2);
    for (const id of ids) await crypto.callBack(onlyPaymentOf(id));
    for (const id of ids) await expectPaidOnce(id);

    const page = await subscriber.subscribe();
    expect(page.status, page.text).to.equal(200);
    expect([...cards.ledger.customers.values()].map(({ metadata }) => metadata)).to.deep.equal([
      { account_id: subscriber.account.account_id },
    ]);
    cards.ledger.complete(String(page.json.url).split('/').at(-1) ?? '');
    await until(async () => (await subscriber.tier()) === 'personal', inTime);
  });

  it('is given once, with one receipt, when `processes` is killed while it works on callbacks', async () => {
    const { here, crypto, cards, links } = money;
    const subscriber = await money.payer();
    const orders = await Promise.all(times(8, () => payer.order()));
    const page = await subscriber.subscribe();
    const asked = () => cards.requests.filter(({ path }) => path === '/v1/subscriptions').length;
    const before = asked();

    for (const link of [links.crypto, links.cards]) link.blackhole('answers');
    for (const { payment_id } of orders) settle(payment_id);
    const answers = await Promise.all(orders.map(({ payment_id }) => crypto.callBack(payment_id)));
    expect(answers).to.deep.equal(orders.map(() => 200));
    cards.ledger.complete(String(page.json.url).split('/').at(-1) ?? '');
    await cards.delivered();
    await until(() => asked() > before, inTime);
    await here.stack.kill('processes');
    await loseAnswers();

    here.stack.link('event-store').delay(underWayMs);
    const known = (await money.eventsOf('order', 'OrderPaid')).length;
    await until(async () => (await money.eventsOf('order', 'OrderPaid')).length > known, inTime);
    await here.stack.kill('processes');
    await here.stack.heal();

    for (const { id } of orders) await expectPaidOnce(id);
    await until(async () => (await subscriber.tier()) === 'personal', inTime);
    await until(async () => (await mailed(subscriber, 'billing-receipt')) > 0, inTime);
    // Later events in the log have been processed, so a second mail would have been sent.
    for (const { payment_id } of orders) expect(await crypto.callBack(payment_id)).to.equal(200);
    const last = await payer.order();
    await crypto.pay(last.payment_id);
    await expectPaidOnce(last.id);
    expect(await mailed(subscriber, 'billing-receipt')).to.equal(1);
    expect(await mailed(subscriber, 'tier-changed')).to.equal(1);
    for (const { id } of orders) expect(await given(payer, id)).to.equal(1);
  });

  it('is the same whether callbacks arrive twenty at once, in any order, forged, or about unknown payments', async () => {
    const { crypto, cards } = money;
    const [often, backwards, forged] = await Promise.all([payer.order(), payer.order(), payer.order()]);
    const kept = async (paymentId: string) =>
      (await money.eventsOf('processor_event', 'CryptoEventReceived')).filter(
        ({ data }) => (data as { paymentId: string }).paymentId === paymentId,
      ).length;

    settle(often.payment_id);
    const equal = await Promise.all(times(20, () => crypto.callBack(often.payment_id)));
    expect(equal).to.deep.equal(equal.map(() => 200));
    // Two, if a minute ends in between.
    expect(await kept(often.payment_id)).to.be.within(1, 2);

    const claim = { payment_status: 'finished', actually_paid: '100' };
    expect(await crypto.callBack(forged.payment_id, claim, 'f'.repeat(128))).to.equal(400);
    expect(await kept(forged.payment_id)).to.equal(0);
    expect(await crypto.callBack(forged.payment_id, claim)).to.equal(200);

    settle(backwards.payment_id);
    for (const payment_status of ['finished', 'confirming', 'waiting'])
      expect(await crypto.callBack(backwards.payment_id, { payment_status })).to.equal(200);

    const ofNobody = { order_id: `ord_${randomUUID()}`, payment_id: '4711' };
    for (const changes of [ofNobody, { order_id: 'another shop’s' }, { payment_id: '4712' }])
      expect(await crypto.callBack(often.payment_id, changes)).to.equal(200);

    const [event] = cards.events.filter(({ type }) => type === 'invoice.paid');
    const again = await Promise.all(times(20, () => money.callBackCard({ ...event, id: 'evt_again' })));
    expect(again).to.deep.equal(again.map(() => 200));
    expect(await cardEventsKept('evt_again')).to.equal(1);

    for (const { id } of [often, backwards]) await expectPaidOnce(id);
    expect(await money.orderEvents(forged.id)).not.to.include('OrderPaid');
    expect(await money.eventsOf('order', 'PaymentReviewRequested')).to.deep.equal([]);
    expect((await money.eventsOf('subscription', 'InvoicePaid')).length).to.equal(
      [...cards.ledger.invoices.values()].length,
    );
  });

  it('is paid or expired, never both, when callbacks arrive as the window ends', async () => {
    const { crypto } = money;
    const [unreported, confirming, unpaid, ...racing] = await Promise.all(times(12, () => payer.order()));
    if (!unreported || !confirming || !unpaid) throw new Error('There are too few orders.');
    const late = async ({ expires_at, payment_id }: PlacedOrder, ms: number): Promise<void> => {
      await until(() => Date.now() >= Date.parse(expires_at) + ms, { limitMs: 30_000, everyMs: 2 });
      settle(payment_id);
      expect(await crypto.callBack(payment_id)).to.equal(200);
    };
    settle(unreported.payment_id);
    crypto.set(confirming.payment_id, { payment_status: 'confirming' });
    await crypto.callBack(confirming.payment_id);
    await Promise.all(racing.map((order, index) => late(order, (index - 2) * 75)));

    await hasStatus(unreported.id, 'paid');
    await hasStatus(unpaid.id, 'expired');
    expect(await payer.orderStatus(confirming.id)).to.equal('confirming');
    expect(await money.orderEvents(unpaid.id)).not.to.include('PaymentReviewRequested');
    await Promise.all([late(confirming, 0), late(unpaid, 0)]);
    await hasStatus(confirming.id, 'paid');
    for (const { id } of [...racing, unpaid]) {
      const types = await until(async () => {
        const found = await money.orderEvents(id);
        const isOver = found.includes('OrderPaid') || found.includes('PaymentReviewRequested');
        return isOver && found;
      }, inTime);
      const isPaid = types.includes('OrderPaid');
      expect(types.includes('OrderExpired'), types.join()).to.equal(!isPaid);
      expect(types.includes('PaymentReviewRequested'), types.join()).to.equal(!isPaid);
      expect(await given(payer, id)).to.equal(isPaid ? 1 : 0);
    }
  });

  it('is not lost while the stores are stopped: callbacks are refused, and polling goes on', async () => {
    const { here, crypto, cards } = money;
    const { stack } = here;
    const [kept, refused] = await Promise.all([payer.order(), payer.order()]);
    for (const { payment_id } of [kept, refused]) settle(payment_id);
    const cardEvent = { ...cards.events[0], id: 'evt_in_the_outage' };
    const status = async () => {
      const signal = AbortSignal.timeout(2000);
      const answer = await fetch(`${stack.baseUrl}/v1/status`, { signal });
      const body = (await answer.json()) as { readonly components: readonly unknown[] };
      return [answer.status, body.components.length];
    };
    const before = await status();

    stack.link('postgres').refuse();
    stack.link('postgres').cut();
    // Recording a callback only needs the event store.
    expect(await crypto.callBack(kept.payment_id)).to.equal(200);
    stack.pause('event-store');
    const callbacks = [crypto.callBack(refused.payment_id), money.callBackCard(cardEvent)];
    for (const answer of await Promise.all(callbacks)) expect(answer).to.be.within(500, 599);
    expect(await status()).to.deep.equal(before);

    stack.resumeAll();
    stack.link('event-store').cut();
    await stack.heal();
    await stack.ready();
    await expectPaidOnce(kept.id);
    await until(async () => (await crypto.callBack(refused.payment_id)) === 200, inTime);
    await until(async () => (await money.callBackCard(cardEvent)) === 200, inTime);
    await expectPaidOnce(refused.id);
    expect(await cardEventsKept(cardEvent.id)).to.equal(1);
  });
});
