import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { OrderEvent } from '../../../contracts/events/order.ts';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { events } from '../../../domain/order/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { createMetrics } from '../../metrics/index.ts';
import { projectionGauges } from './metrics.ts';

const accountId = anAccount();

describe('metrics of crypto orders', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());

  const order = async (...more: OrderEvent[]) => {
    const of = { orderId: toId('order', randomUUID()), accountId };
    const history = [events.OrderPlaced(), events.PaymentCreated(), ...more];
    await side.append(
      `order-${uuidOf(of.orderId)}`,
      history.map((event) => ({ ...event, data: { ...event.data, ...of } })),
      by(accountId),
    );
  };

  it('count orders by outcome, and findings about payments', async () => {
    const metrics = createMetrics('test');
    const { observer } = projectionGauges(metrics, side.postgres.pool);
    side.project({ observer });
    await order(events.OrderConfirming(), events.OrderPaid({ at: '2026-01-05T12:00:02.000Z' }));
    await order(events.OrderExpired(), events.PaymentReviewRequested());
    await side.caughtUp();
    const { text } = await metrics.page();
    const value = (name: string, label = '') =>
      text
        .split('\n')
        .find((line) => line.startsWith(`${name}{`) && line.includes(label))
        ?.split(' ')[1];
    expect(value('service_crypto_orders_total', 'outcome="placed"')).to.equal('2');
    expect(value('service_crypto_orders_total', 'outcome="paid"')).to.equal('1');
    expect(value('service_crypto_orders_total', 'outcome="expired"')).to.equal('1');
    expect(value('service_crypto_reviews_total', 'reason="late"')).to.equal('1');
    expect(value('service_crypto_order_duration_seconds_sum')).to.equal('2');
  });
});
