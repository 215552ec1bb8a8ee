import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { JsonNumber, sortedJson, type ExactJson } from '../../infra/crypto-payments/exact-json.ts';
import { signatureHeader, signatureOf } from '../../infra/crypto-payments/signature.ts';
import { ipnSecret, startOrders, type OrderWorld } from '../testing/orders.ts';

describe('callbacks of the crypto processor', () => {
  let world: OrderWorld;
  let token: string;
  let accountId: string;
  let id: string;
  let payment: string;
  before(async () => {
    world = await startOrders();
  });
  after(() => world.close());
  beforeEach(async () => {
    ({ token, accountId } = await world.buyer());
    const { json } = await world.order(token);
    [id, payment] = [String(json.id), String(json.payment_id)];
  });

  const post = async (text: string, signature: string) => {
    const response = await fetch(`http://127.0.0.1:${world.service.port}/v1/webhooks/crypto`, {
      method: 'POST',
      headers: { [signatureHeader]: signature },
      body: text,
    });
    return response.status;
  };
  const status = async () => (await world.read(token, id)).json.status;
  const finish = (changes: object = {}) =>
    world.processor.set(payment, { payment_status: 'finished', actually_paid: '0.00081667', ...changes });
  const reviewed = () => world.recording(id, 'PaymentReviewRequested');
  /** Resolves once all earlier callbacks are processed: a later order is paid by then. */
  const settled = async () => {
    const { json } = await world.order(token);
    await world.processor.pay(String(json.payment_id));
    await world.reaching(token, json.id, 'paid');
  };

  it('are refused without the right signature, and change nothing', async () => {
    finish();
    for (const signature of ['', 'no hex', '00'.repeat(64)])
      expect(await world.processor.callBack(payment, {}, signature)).to.equal(400);
    const body: ExactJson = { payment_id: new JsonNumber(payment), payment_status: 'finished' };
    expect(await post(sortedJson(body, String), signatureOf(body, 'another secret'))).to.equal(400);
    for (const text of ['', 'no json', '[]', '{}', '"text"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])
      expect(await post(text, signatureOf({}, ipnSecret)), text.slice(0, 20)).to.equal(400);
    await settled();
    expect(await status()).to.equal('pending');
  });

  it('are refused unread when they are larger than any of the processor', async () => {
    const ofSize = (bytes: number): ExactJson => ({ payment_id: payment, note: 'x'.repeat(bytes) });
    for (const [bytes, expected] of [
      [60 * 1024, 200],
      [64 * 1024, 400],
    ] as const) {
      const body = ofSize(bytes);
      expect(await post(sortedJson(body, String), signatureOf(body, ipnSecret)), String(bytes)).to.equal(
        expected,
      );
    }
  });

  it('are not trusted: the processor is queried', async () => {
    expect(
      await world.processor.callBack(payment, { payment_status: 'finished', actually_paid: '5' }),
    ).to.equal(200);
    await settled();
    expect(await status()).to.equal('pending');
  });

  it('are taken with their numbers signed as they were sent, or as JavaScript writes them', async () => {
    const body: ExactJson = {
      payment_status: 'finished',
      fee: { serviceFee: new JsonNumber('0.00000001'), currency: 'btc' },
      price_amount: new JsonNumber('3999.50'),
      payment_id: new JsonNumber(payment),
      order_id: id,
    };
    const again = (digits: string) => JSON.stringify(Number(digits));
    for (const form of [String, again])
      expect(await post(sortedJson(body, String), signatureOf(body, ipnSecret, form))).to.equal(200);
  });

  it('have one effect however often they come, twenty at once', async () => {
    finish();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.processor.callBack(payment)));
    expect(answers).to.deep.equal(Array(20).fill(200));
    await world.reaching(token, id, 'paid');
    await settled();
    const types = await world.typesOf(id);
    expect(types.filter((type) => type === 'OrderPaid')).to.have.length(1);
    const grants = (await world.service.events(`account-${uuidOf(accountId)}`)).filter(
      ({ type, data }) => type === 'EntitlementGranted' && (data as { source: string }).source === id,
    );
    expect(grants).to.have.length(1);
  });

  it('may come in any order', async () => {
    finish();
    await world.processor.callBack(payment);
    await world.processor.callBack(payment, { payment_status: 'confirming' });
    await world.processor.callBack(payment, { payment_status: 'waiting' });
    await world.reaching(token, id, 'paid');
    await settled();
    expect(await status()).to.equal('paid');
  });

  it('are acknowledged and forgotten where they name nothing of ours', async () => {
    const strange = 'ord_0197f1a0-0000-7000-8000-0000000000ff';
    world.processor.set(payment, { order_id: strange, payment_status: 'finished' });
    expect(await world.processor.callBack(payment)).to.equal(200);
    world.processor.set(payment, { order_id: 'another shop’s order' });
    expect(await world.processor.callBack(payment)).to.equal(200);
    expect(await world.processor.callBack(payment, { payment_id: '77' })).to.equal(200);
    await settled();
    expect(await status()).to.equal('pending');
  });

  it('with another amount, price or currency pay nothing, and are put before a person', async () => {
    for (const changes of [
      { actually_paid: '0.00081666' },
      { price_amount: '48' },
      { price_currency: 'eur' },
      { pay_currency: 'ltc' },
    ]) {
      finish({ price_amount: '49', price_currency: 'usd', pay_currency: 'btc', ...changes });
      await world.processor.callBack(payment);
    }
    await reviewed();
    await settled();
    expect(await status()).to.equal('partially_paid');
    const reasons = (await world.service.events(`order-${uuidOf(id)}`)).flatMap(({ type, data }) =>
      type === 'PaymentReviewRequested' ? [(data as { reason: string }).reason] : [],
    );
    expect(new Set(reasons)).to.deep.equal(new Set(['amount', 'price', 'currency']));
  });

  it('of the payment that another one has replaced are put before a person', async () => {
    await world.service.call(`PATCH /v1/billing/crypto-orders/${id}`, {
      token,
      body: { pay_currency: 'eth' },
    });
    finish();
    await world.processor.callBack(payment);
    await reviewed();
    expect(await status()).to.equal('pending');
  });

  it('are kept without amounts, addresses and names', async () => {
    finish();
    await world.processor.callBack(payment);
    await world.reaching(token, id, 'paid');
    const kept = (await world.service.allEvents()).filter(({ type }) => type === 'CryptoEventReceived');
    for (const { data } of kept) expect(data).to.have.all.keys('paymentId', 'orderId', 'status', 'at');
  });
});
