import { hasKnownType } from '../../../commands/engine/recording.ts';
import { orderEvents, reviewReasons, type OrderEvent } from '../../../contracts/events/order.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Metrics } from '../../metrics/index.ts';

/** Counted events, by outcome. */
const outcomes: Readonly<Partial<Record<OrderEvent['type'], string>>> = {
  OrderPlaced: 'placed',
  OrderWithdrawn: 'withdrawn',
  OrderPaid: 'paid',
  OrderFailed: 'failed',
  OrderExpired: 'expired',
  OrderCancelled: 'cancelled',
};

/** For the projector: outcomes of crypto orders, from the log as it is applied, and money to review. */
export function orderMetrics(metrics: Metrics): (event: RecordedEvent) => void {
  const orders = metrics.counter('service_crypto_orders_total', 'Crypto orders, by outcome', 'outcome');
  const reviews = metrics.counter(
    'service_crypto_reviews_total',
    'Findings about crypto payments that a person has to look at',
    'reason',
  );
  for (const reason of reviewReasons) reviews({ reason }, 0);
  const durations = metrics.durations(
    'service_crypto_order_duration_seconds',
    'Time from the first sight of the money until an order was paid',
  );
  /** When money of confirming orders was first seen. */
  const seen = new Map<string, number>();
  return (event) => {
    if (event.data === undefined || !hasKnownType<OrderEvent>(orderEvents, event)) return;
    const { type, data } = event;
    const outcome = outcomes[type];
    if (outcome !== undefined) orders({ outcome });
    if (type === 'PaymentReviewRequested') reviews({ reason: data.reason });
    if (type === 'OrderConfirming' && !seen.has(data.orderId)) seen.set(data.orderId, Date.parse(data.at));
    const since = seen.get(data.orderId);
    if (type === 'OrderPaid' && since !== undefined) durations({}, Math.max(0, Date.parse(data.at) - since));
    if (type === 'OrderPaid' || type === 'OrderFailed' || type === 'OrderExpired') seen.delete(data.orderId);
  };
}
