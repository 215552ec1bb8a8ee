import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startOrders, type OrderWorld } from '../testing/orders.ts';

const list = '/v1/billing/crypto-orders';

describe('crypto orders over HTTP', () => {
  let world: OrderWorld;
  let token: string;
  before(async () => {
    world = await startOrders();
  });
  after(() => world.close());
  beforeEach(async () => {
    ({ token } = await world.buyer());
  });

  const send = (target: string, body?: object) =>
    world.service.call(target, { token, ...(body && { body }) });
  const tier = async () => (await send('GET /v1/account/me')).json.tier;

  it('are quoted in the smallest unit of the currency', async () => {
    const answer = await send('POST /v1/billing/crypto-checkout/quote', {
      ...{ product: 'api_builder_month', pay_currency: 'eth' },
    });
    const { quote_expires_at, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      ...{ product: 'api_builder_month', price_cents: 4900, price_currency: 'usd', pay_currency: 'eth' },
      ...{ pay_amount: '16333333333333334', pay_exponent: 18 },
    });
    expect(Date.parse(String(quote_expires_at))).to.be.greaterThan(world.clock.now().getTime());
  });

  it('are refused for products and currencies that there are none of', async () => {
    for (const route of ['crypto-checkout', 'crypto-checkout/quote'])
      for (const body of [
        { product: 'nothing', pay_currency: 'btc' },
        { product: 'constructor', pay_currency: 'btc' },
        { product: 'api_builder_month', pay_currency: 'nocoin' },
        { product: 'api_builder_month', pay_currency: 'BTC' },
        { product: 'api_builder_month' },
        {},
      ])
        expect(outcomeOf(await send(`POST /v1/billing/${route}`, body)), JSON.stringify(body)).to.equal(
          'validation-failed',
        );
    expect((await send(`GET ${list}`)).json.data).to.deep.equal([]);
  });

  it('are placed, paid, and give their tier once', async () => {
    const placed = await world.order(token);
    expect(placed.status).to.equal(201);
    const { id, payment_id, qr_svg, created_at, expires_at, payment_uri, pay_address, ...rest } = placed.json;
    expect(rest).to.deep.equal({
      ...{ status: 'pending', product: 'api_builder_month', price_cents: 4900, price_currency: 'usd' },
      ...{ pay_currency: 'btc', pay_amount: '81667', pay_exponent: 8, pay_memo: null, amount_paid: '0' },
      ...{ quote_expires_at: expires_at, paid_at: null, failed_at: null, failure_reason: null },
    });
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).to.equal(3_600_000);
    expect(payment_uri).to.equal(`bitcoin:${String(pay_address)}?amount=0.00081667`);
    expect(qr_svg).to.match(/^<svg /);
    expect((await send(`GET ${list}/${String(id)}`)).json).to.deep.equal(placed.json);

    await world.processor.pay(String(payment_id));
    const paid = await world.reaching(token, id, 'paid');
    expect(paid.json.amount_paid).to.equal('81667');
    await until(async () => (await tier()) === 'api_builder');
    await world.processor.callBack(String(payment_id));
    await world.service.caughtUp();
    expect(await world.typesOf(id)).to.deep.equal([
      ...['OrderPlaced', 'PaymentCreated', 'OrderConfirming', 'OrderPaid'],
    ]);
  });

  it('are listed newest first, for their own account only', async () => {
    const first = await world.order(token);
    const second = await world.order(token);
    const page = await send(`GET ${list}?limit=1`);
    expect(page.json.data).to.deep.equal([second.json]);
    const rest = await send(`GET ${list}?limit=1&cursor=${String(page.json.next_cursor)}`);
    expect(rest.json.data).to.deep.equal([first.json]);
    const stranger = await world.buyer();
    expect(outcomeOf(await world.read(stranger.token, first.json.id))).to.equal('not-found');
    const cancel = `POST ${list}/${String(first.json.id)}/cancel`;
    expect(outcomeOf(await world.service.call(cancel, { token: stranger.token }))).to.equal('not-found');
  });

  it('say what is missing while a part is paid', async () => {
    const { json } = await world.order(token);
    await world.processor.pay(String(json.payment_id), '0.0005');
    const partly = await world.reaching(token, json.id, 'partially_paid');
    expect(partly.json).to.include({ amount_paid: '50000', amount_missing: '31667' });
    expect(partly.json.payment_uri).to.match(/amount=0\.00031667$/);
    expect(outcomeOf(await send(`PATCH ${list}/${String(json.id)}`, { pay_currency: 'eth' }))).to.equal(
      'conflict',
    );
    await world.processor.pay(String(json.payment_id), '0.00081667');
    await world.reaching(token, json.id, 'paid');
  });

  it('ask wallets for the amount in the smallest unit of the token if the processor gives a finer one', async () => {
    const { json } = await world.order(token, { pay_currency: 'usdterc20' });
    expect(json).to.include({ pay_amount: '4851485149', pay_exponent: 8 });
    expect(json.payment_uri).to.match(/&uint256=48514852$/);
    await world.processor.pay(String(json.payment_id), '48.51485');
    const partly = await world.reaching(token, json.id, 'partially_paid');
    expect(partly.json.amount_missing).to.equal('149');
    expect(partly.json.payment_uri).to.match(/&uint256=2$/);
    await world.processor.pay(String(json.payment_id), '48.514852');
    expect((await world.reaching(token, json.id, 'paid')).json.amount_paid).to.equal('4851485200');
  });

  it('are paid in another currency while they are pending', async () => {
    const { json } = await world.order(token);
    const changed = await send(`PATCH ${list}/${String(json.id)}`, { pay_currency: 'ltc' });
    expect(changed.json).to.include({ status: 'pending', pay_currency: 'ltc', pay_amount: '61250000' });
    expect(changed.json.payment_id).not.to.equal(json.payment_id);
    expect(changed.json.expires_at).to.equal(json.expires_at);
    expect(outcomeOf(await send(`PATCH ${list}/${String(json.id)}`, { pay_currency: 'nocoin' }))).to.equal(
      'validation-failed',
    );
    const same = await send(`PATCH ${list}/${String(json.id)}`, { pay_currency: 'ltc' });
    expect(same.json).to.deep.equal(changed.json);
    await world.processor.pay(String(changed.json.payment_id));
    await world.reaching(token, json.id, 'paid');
  });

  it('are cancelled while they are pending, and a payment after that goes to a person', async () => {
    const { json } = await world.order(token);
    const cancelled = await send(`POST ${list}/${String(json.id)}/cancel`);
    expect(cancelled.json.status).to.equal('cancelled');
    expect(outcomeOf(await send(`POST ${list}/${String(json.id)}/cancel`))).to.equal('conflict');
    await world.processor.pay(String(json.payment_id));
    await world.recording(json.id, 'PaymentReviewRequested');
    expect((await world.read(token, json.id)).json.status).to.equal('cancelled');
  });

  it('expire by themselves when their window is over', async () => {
    const { json } = await world.order(token);
    world.clock.advance(3_600_000);
    const expired = await world.reaching(token, json.id, 'expired');
    expect(expired.json).to.include({ failure_reason: 'expired' });
    expect(expired.json.failed_at).to.be.a('string');
    await world.processor.pay(String(json.payment_id));
    await world.recording(json.id, 'PaymentReviewRequested');
    expect((await world.read(token, json.id)).json.status).to.equal('expired');
    expect(await tier()).to.equal('free');
  });

  it('are asked about again after they were cancelled or have expired, so that lost callbacks lose no money', async () => {
    const ends = {
      expired: () => Promise.resolve(world.clock.advance(3_600_000)),
      cancelled: (id: string) => send(`POST ${list}/${id}/cancel`),
    };
    for (const [status, end] of Object.entries(ends)) {
      const { json } = await world.order(token);
      await end(String(json.id));
      await world.reaching(token, json.id, status);
      const pay_amount = world.processor.payments.get(String(json.payment_id))?.pay_amount ?? '';
      world.processor.set(String(json.payment_id), { payment_status: 'finished', actually_paid: pay_amount });
      world.clock.advance(3_600_000);
      const types = await world.recording(json.id, 'PaymentsChecked');
      expect(types.slice(-2)).to.deep.equal(['PaymentReviewRequested', 'PaymentsChecked']);
      world.clock.advance(86_400_000);
      await until(async () =>
        (await world.typesOf(json.id)).slice(-2).every((type) => type === 'PaymentsChecked'),
      );
    }
  });

  it('are paid where their window ends while the callback is on its way, or lost', async () => {
    const { json } = await world.order(token);
    const pay_amount = world.processor.payments.get(String(json.payment_id))?.pay_amount ?? '';
    world.processor.set(String(json.payment_id), { payment_status: 'finished', actually_paid: pay_amount });
    world.clock.advance(3_600_000);
    await world.reaching(token, json.id, 'paid');
  });

  it('that are confirming do not expire, and are paid without the callback that was lost', async () => {
    const { json } = await world.order(token);
    const id = String(json.payment_id);
    world.processor.set(id, { payment_status: 'confirming', actually_paid: '0.00081667' });
    await world.processor.callBack(id);
    await world.reaching(token, json.id, 'confirming');
    world.clock.advance(2 * 86_400_000);
    expect((await world.read(token, json.id)).json.status).to.equal('confirming');
    world.processor.set(id, { payment_status: 'finished' });
    await world.reaching(token, json.id, 'paid');
  });

  it('fail when the processor says so', async () => {
    const { json } = await world.order(token);
    world.processor.set(String(json.payment_id), { payment_status: 'failed' });
    await world.processor.callBack(String(json.payment_id));
    const failed = await world.reaching(token, json.id, 'failed');
    expect(failed.json).to.include({ failure_reason: 'ipn', paid_at: null });
  });

  it('take prices at the limit of safe integers, and amounts of more than 64 bits', async () => {
    const { json } = await world.order(token, { product: 'dear', pay_currency: 'shib' });
    expect(json.pay_amount).to.equal(`${Number.MAX_SAFE_INTEGER}${'0'.repeat(18)}`);
    await world.processor.pay(String(json.payment_id));
    const paid = await world.reaching(token, json.id, 'paid');
    expect(paid.json).to.include({ amount_paid: json.pay_amount, price_cents: Number.MAX_SAFE_INTEGER });
  });

  it('are announced to webhooks when they are paid, and when they have failed', async () => {
    const paid = await world.order(token);
    await world.processor.pay(String(paid.json.payment_id));
    await world.reaching(token, paid.json.id, 'paid');
    const expired = await world.order(token);
    world.clock.advance(3_600_000);
    const { json } = await world.reaching(token, expired.json.id, 'expired');
    const { data } = (await send('GET /v1/events')).json as { data: { type: string; data: object }[] };
    const of = { product: 'api_builder_month', price_cents: 4900, price_currency: 'usd' };
    const failed = data.find(({ type }) => type === 'crypto.order.failed');
    expect(failed?.data).to.deep.equal({
      ...{ ...of, order_id: json.id, payment_id: json.payment_id, failed_at: json.failed_at },
      reason: 'expired',
    });
    expect(data.find(({ type }) => type === 'crypto.order.paid')?.data).to.include({
      ...{ ...of, order_id: paid.json.id, payment_id: paid.json.payment_id },
    });
  });

  it('have a receipt once they are paid, the same bytes each time', async () => {
    const { json } = await world.order(token);
    const forms = ['receipt', 'receipt.txt', 'receipt.pdf'];
    const get = (form: string) => send(`GET ${list}/${String(json.id)}/${form}`);
    for (const form of forms) expect(outcomeOf(await get(form))).to.equal('conflict');
    await world.processor.pay(String(json.payment_id));
    await world.reaching(token, json.id, 'paid');
    for (const form of forms) {
      const [first, second] = [await get(form), await get(form)];
      expect(first.status).to.equal(200);
      expect(second.text).to.equal(first.text);
    }
    const { headers, text } = await get('receipt.pdf');
    expect(headers['content-type']).to.equal('application/pdf');
    expect(text.startsWith('%PDF-')).to.equal(true);
    expect((await get('receipt')).json).to.include({
      order_id: json.id,
      price_cents: 4900,
      amount_paid: '81667',
    });
    expect((await get('receipt.txt')).text).to.contain('49.00 USD');
    const stranger = await world.buyer();
    for (const form of forms) {
      const target = `GET ${list}/${String(json.id)}/${form}`;
      expect(outcomeOf(await world.service.call(target, { token: stranger.token }))).to.equal('not-found');
    }
  });

  it('of an account that is erased before they are paid give nothing, and go to a person', async () => {
    const gone = await world.buyer();
    const { json } = await world.order(gone.token);
    const { runner, context } = world.service.staff;
    const erase = { type: 'EraseAccount', at: world.clock.now().toISOString() } as const;
    await runner.run(account, uuidOf(gone.accountId), erase, context());
    await world.processor.pay(String(json.payment_id));
    const types = await world.recording(json.id, 'PaymentReviewRequested');
    expect(types.slice(-2)).to.deep.equal(['OrderPaid', 'PaymentReviewRequested']);
  });
});
