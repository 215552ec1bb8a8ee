import { handleDeliveryWakeUps, learnDeliveries } from '../../../commands/deliveries/index.ts';
import { dueTimersIn, handleWakeUps } from '../../../commands/processes/index.ts';
import { sessionCommandsOn } from '../composition/commands.ts';
import { deliveriesOn, openSender } from '../composition/deliveries.ts';
import { openRegistry } from '../composition/fleet.ts';
import { handleMails, openMailer } from '../composition/mail.ts';
import { openQueuePage } from '../composition/queue-page.ts';
import { openEventStore, openPostgres, openRunner, storeChecks } from '../composition/stores.ts';
import { openEveryQueue } from '../composition/wake-ups.ts';
import { attemptMetrics, queueGauge, setbackMetric } from '../composition/webhook-metrics.ts';
import type { ComposeRole } from './role.ts';

/**
 * Does what is due when its wake-up comes; any number of workers may. Told to stop, it takes no more, and what is under way
 * gets to record its outcome: the queues are the first to close.
 */
export const worker: ComposeRole = async (context) => {
  const { config, clock, logger, metrics } = context;
  const { pool } = openPostgres(context, 'worker');
  const store = openEventStore(context);
  const runner = openRunner(context, store);
  const learning = learnDeliveries({ store, runner, logger });
  context.lifetime.defer('news of deliveries', () => learning.close());
  const sessions = sessionCommandsOn(context, runner, openRegistry(config, pool));
  const mailer = openMailer(context);
  const connections = openSender(context);
  const queues = openEveryQueue(context);
  const { timers, deliveries, mail } = queues;
  queueGauge(metrics, queues);
  const attempts = deliveriesOn(context, connections, {
    pool,
    runner,
    wakeUps: deliveries,
    onAttempt: attemptMetrics(metrics),
    onSetback: setbackMetric(metrics),
  });
  handleDeliveryWakeUps(deliveries, attempts);
  handleWakeUps(timers, { timers: dueTimersIn(pool), clock, sessions, runner, logger });
  if (mailer !== undefined) handleMails(context, { pool, runner }, mailer, mail);
  const page = openQueuePage(context);
  return { checks: storeChecks(pool, store), ...(page && { app: page }) };
};
