import { handleDeliveryWakeUps, type Deliveries } from '../../../commands/webhook-delivery/index.ts';
import { defaultHostSettings, handleWakeUps, startHost } from '../../../commands/process-managers/index.ts';
import { deliveringProcess } from '../../../commands/process-managers/webhook-delivery/index.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { sessionCommandsOn } from '../composition/commands.ts';
import { deliveriesOn, openSender, type DeliveriesOn } from '../composition/deliveries.ts';
import { handleMails, openMailer } from '../composition/mail.ts';
import { openQueuePage } from '../composition/queue-page.ts';
import { openEventStore, openPostgres, openRunner, storeChecks } from '../composition/stores.ts';
import { openEveryQueue } from '../composition/wake-ups.ts';
import { attemptMetrics, queueGauge, setbackMetric } from '../composition/webhook-metrics.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/**
 * Does what is due when its wake-up comes; any number of workers may. One of them also tells endpoints of events as they
 * happen. Told to stop, it takes no more, and what is under way gets to record its outcome: the host of first attempts and
 * the queues are the first to close.
 */
export const worker: ComposeRole = async (context) => {
  const { clock, logger, metrics } = context;
  const { pool } = openPostgres(context, 'worker');
  const store = openEventStore(context);
  const runner = openRunner(context, store);
  const sessions = sessionCommandsOn(context, runner, pool);
  const mailer = openMailer(context);
  const connections = openSender(context);
  const queues = openEveryQueue(context);
  const { timers, deliveries, mail } = queues;
  queueGauge(metrics, queues);
  const on = {
    ...{ pool, runner, wakeUps: deliveries },
    ...{ onAttempt: attemptMetrics(metrics), onSetback: setbackMetric(metrics) },
  };
  const attempts = deliveriesOn(context, connections, on);
  handleDeliveryWakeUps(deliveries, attempts);
  handleWakeUps(timers, { timers: dueTimersIn(pool), clock, sessions, runner, logger });
  if (mailer !== undefined) handleMails(context, { pool, runner }, mailer, mail);
  const page = openQueuePage(context);
  hostFirstAttempts(context, store, on, attempts);
  return { checks: storeChecks(pool, store), ...(page && { app: page }) };
};

function hostFirstAttempts(
  { config, clock, logger, metrics, lifetime }: RoleContext,
  store: EventStore,
  { pool, runner, wakeUps }: DeliveriesOn,
  { first, heard }: Deliveries,
): void {
  const fanOut = deliveringProcess({
    store,
    runner,
    wakeUps,
    clock,
    logger,
    sendFirst: (delivery, cause) => first.make(delivery, cause),
    heard,
  });
  const host = startHost({
    ...defaultHostSettings,
    name: 'deliveries',
    concurrency: config.WEBHOOK_CONCURRENCY,
    store,
    pool,
    logger,
    managers: [fanOut],
  });
  lifetime.defer('first attempts', async () => {
    await host.close();
    await first.settled();
  });
  metrics.gauge('service_first_attempts_working', '1 in the worker that makes first attempts', () =>
    Number(host.working()),
  );
}
