import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startWriteSide } from '../testing.ts';
import { startOrders, type OrderWorld } from '../testing/orders.ts';

const checkout = '/v1/billing/crypto-checkout';
const body = { product: 'api_builder_month', pay_currency: 'btc' };

describe('crypto orders without a processor', () => {
  it('are not to be had', async () => {
    const side = await startWriteSide();
    try {
      const { token } = await side.staff.account('free');
      for (const route of [checkout, `${checkout}/quote`])
        expect(outcomeOf(await side.call(`POST ${route}`, { token, body }))).to.equal('feature-unavailable');
      const callback = await side.call('POST /v1/webhooks/crypto', { token: null, body: {} });
      expect(outcomeOf(callback)).to.equal('feature-unavailable');
    } finally {
      await side.close();
    }
  });
});

for (const [title, processor] of [
  ['a processor that can be asked for its payments', { lists: true, idempotent: false }],
  ['a processor that only knows idempotency keys', { lists: false, idempotent: true }],
] as const)
  describe(`crypto orders at ${title}`, () => {
    let world: OrderWorld;
    let token: string;
    before(async () => {
      world = await startOrders({ processor, timeoutMs: 3_000 });
    });
    after(() => world.close());
    beforeEach(async () => {
      ({ token } = await world.buyer());
      world.processor.behave('normal');
    });
    const paymentsOf = (id: unknown) =>
      [...world.processor.payments.values()].filter((each) => each.order_id === id);
    /** The uuid of the newest stream. */
    const newest = async (prefix: string): Promise<string> => {
      const begun = new Set<string>();
      for await (const { stream } of world.service.store.readAll()) begun.add(stream);
      return [...begun].findLast((stream) => stream.startsWith(prefix))?.slice(prefix.length) ?? '';
    };
    const list = () => world.service.call('GET /v1/billing/crypto-orders', { token });

    it('are refused with 503 while it is down or silent, and can be had with the same key later', async () => {
      for (const behaviour of ['down', 'silent'] as const) {
        const key = world.newKey();
        world.processor.behave(behaviour);
        const refused = await world.order(token, {}, key);
        expect(outcomeOf(refused)).to.equal('payments-unavailable');
        expect(refused.status).to.equal(503);
        expect(outcomeOf(await world.service.call(`POST ${checkout}/quote`, { token, body }))).to.equal(
          'payments-unavailable',
        );
        world.processor.behave('normal');
        world.clock.advance(10_000);
        const placed = await world.order(token, {}, key);
        expect(placed.status).to.equal(201);
        expect(paymentsOf(placed.json.id)).to.have.length(1);
      }
    });

    it('that got no payment before their window ended are refused as ended, not for their currency', async () => {
      const key = world.newKey();
      world.processor.behave('down');
      expect(outcomeOf(await world.order(token, {}, key))).to.equal('payments-unavailable');
      world.processor.behave('normal');
      world.clock.advance(3_600_000);
      const id = toId('order', await newest('order-'));
      await world.recording(id, 'OrderWithdrawn');
      const refused = await world.order(token, {}, key);
      expect(outcomeOf(refused)).to.equal('conflict');
      expect(refused.json.detail).to.equal('The order ended before its payment was created.');
    });

    it('have one payment when the reply was lost, or its process was killed', async () => {
      const key = world.newKey();
      world.processor.behave('no-reply');
      expect(outcomeOf(await world.order(token, {}, key))).to.equal('payments-unavailable');
      world.processor.behave('normal');
      world.clock.advance(10_000);
      const placed = await world.order(token, {}, key);
      expect(placed.status).to.equal(201);
      expect(paymentsOf(placed.json.id)).to.have.length(1);
      expect((await world.order(token, {}, key)).json).to.deep.equal(placed.json);
      expect((await list()).json.data).to.deep.equal([placed.json]);
    });

    it('are one when checkouts with one key race', async () => {
      const key = world.newKey();
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.order(token, {}, key)));
      for (const { status, headers, json } of answers)
        if (status === 409) expect(headers['retry-after']).to.equal('1');
        else expect(status, JSON.stringify(json)).to.equal(201);
      const ids = new Set(answers.flatMap(({ status, json }) => (status === 201 ? [json.id] : [])));
      expect(ids.size).to.equal(1);
      expect(paymentsOf([...ids][0])).to.have.length(1);
      await world.service.caughtUp();
      expect((await list()).json.data).to.have.length(1);
    });

    it('keep their payment when another currency could not be had, and get it when asked again', async () => {
      const { json } = await world.order(token);
      const path = `PATCH /v1/billing/crypto-orders/${String(json.id)}`;
      const change = () => world.service.call(path, { token, body: { pay_currency: 'eth' } });
      world.processor.behave('down');
      expect(outcomeOf(await change())).to.equal('payments-unavailable');
      expect((await world.read(token, json.id)).json.payment_id).to.equal(json.payment_id);
      world.processor.behave('normal');
      expect((await change()).json.pay_currency).to.equal('eth');
      expect(paymentsOf(json.id)).to.have.length(2);
    });

    it('do not expire before the processor was asked', async () => {
      const { json } = await world.order(token);
      const { pay_amount = '' } = world.processor.payments.get(String(json.payment_id)) ?? {};
      world.processor.behave('down');
      world.clock.advance(3_600_000);
      expect((await world.read(token, json.id)).json.status).to.equal('pending');
      world.processor.set(String(json.payment_id), { payment_status: 'finished', actually_paid: pay_amount });
      world.processor.behave('normal');
      await world.reaching(token, json.id, 'paid');
    });
  });

describe('crypto orders that are stale', () => {
  it('are swept where that comes before the end of their window', async () => {
    const world = await startOrders({ config: { CRYPTO_WINDOW: 86_400_000, CRYPTO_SWEEP_AFTER: 60_000 } });
    try {
      const { token } = await world.buyer();
      const { json } = await world.order(token);
      world.clock.advance(60_000);
      const swept = await world.reaching(token, json.id, 'expired');
      expect(swept.json.failure_reason).to.equal('swept');
    } finally {
      await world.close();
    }
  });
});
