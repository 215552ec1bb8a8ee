import type { Logger } from 'pino';
import { orderEvents } from '../../contracts/events/order.ts';
import { processorEventEvents } from '../../contracts/events/processor-event.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { now, systemContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { OrderUpkeep } from '../order/upkeep.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';
import type { Sweep } from './engine/host.ts';

/** Reactions to callbacks of the crypto processor, and entitlements by paid orders. */
export const orderManagers = (orders: OrderUpkeep): readonly ProcessManager[] => [
  reactingTo(
    'crypto-callbacks',
    processorEventEvents,
    { CryptoEventReceived: ({ paymentId }, context) => orders.reconcile(paymentId, context) },
    // The processor's answers are applied in the order of the queries.
    ({ type, data }) => (type === 'CryptoEventReceived' ? (data.orderId ?? data.paymentId) : undefined),
  ),
  reactingTo('order-entitlements', orderEvents, {
    OrderPaid: (paid, context) => orders.entitle(paid, context),
  }),
];

export interface UnsettledSweepPorts {
  readonly orders: Pick<OrderUpkeep, 'reconcile'>;
  /** Payments of open orders on which money was seen. */
  readonly unsettled: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
}

/** Concurrency of queries. */
const atOnce = 4;

/** Queries the processor about seen, unsettled money, in case the settling callback was lost. */
export const unsettledSweep = (ports: UnsettledSweepPorts): Sweep => ({
  name: 'unsettled payments',
  everyMs: ports.everyMs,
  run: async (signal) => {
    await inBatches(await ports.unsettled(), atOnce, (paymentId) => reconcile(ports, paymentId), signal);
  },
});

/** A failed query is repeated by the next sweep. */
async function reconcile({ orders, logger, clock }: UnsettledSweepPorts, paymentId: string): Promise<void> {
  const subject = `unsettled payment ${paymentId} ${now({ clock })}`;
  await orders
    .reconcile(paymentId, systemContext(subject, 'timer:unsettled-payments'))
    .catch((error: unknown) => {
      logger.warn({ err: error, payment: paymentId }, 'The processor could not be asked about a payment.');
    });
}
