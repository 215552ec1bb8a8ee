import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { defaultHostSettings, handleWakeUps, startHost } from '../../../commands/process-managers/index.ts';
import { deliveringProcess } from '../../../commands/process-managers/webhook-delivery/index.ts';
import {
  createDeliveries,
  type Deliveries,
  handleDeliveryWakeUps,
} from '../../../commands/webhook-delivery/index.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { need } from '../../config/index.ts';
import { systemAfter, systemPause } from '../../platform/clock.ts';
import { createQueuePage } from '../../queue/page/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import { secretField } from '../../webhooks/signature.ts';
import { createSender, type Sender } from '../../webhooks/sender.ts';
import { composeCommands } from '../composition/commands.ts';
import { handleMails, openMailer } from '../composition/mail.ts';
import { openRateLimits } from '../composition/http.ts';
import { storeChecks, type Ports } from '../composition/ports.ts';
import { openEveryQueue, queueNames } from '../composition/wake-ups.ts';
import { attemptMetrics, queueGauge, unopenableSecretsMetric } from '../composition/metrics.ts';
import { openWebhookTarget } from '../composition/outbound.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/**
 * Handles wake-ups: does the work that is due. Any number of workers may run. The leader also sends new events to
 * endpoints at once. On shutdown a worker accepts no new work, and current work can record its outcome: the host of
 * first attempts and the queues close first.
 */
export const worker: ComposeRole<Ports> = (ports) => {
  const { clock, logger, metrics, pool, runner } = ports;
  const { sessions, agentSessions, orders } = composeCommands(ports);
  const mailer = openMailer(ports);
  const sender = openSender(ports);
  const queues = openEveryQueue(ports);
  const { timers, deliveries, mail } = queues;
  queueGauge(metrics, queues);
  const attempts = attemptsOn(ports, sender, deliveries);
  handleDeliveryWakeUps(deliveries, attempts);
  handleWakeUps(timers, {
    ...{ sessions, agentSessions, orders, runner },
    ...{ timers: dueTimersIn(pool), clock, logger },
  });
  if (mailer !== undefined) handleMails(ports, mailer, mail);
  const page = openQueuePage(ports);
  hostFirstAttempts(ports, deliveries, attempts);
  return { checks: storeChecks(ports), ...(page && { app: page }) };
};

function hostFirstAttempts(
  { config, clock, logger, metrics, lifetime, pool, store, runner }: Ports,
  wakeUps: WakeUps,
  { first, observe }: Deliveries,
): void {
  const fanOut = deliveringProcess({
    store,
    runner,
    wakeUps,
    clock,
    logger,
    sendFirst: (delivery, cause) => first.make(delivery, cause),
    observe,
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

/** Must be opened before the queues, so that it is closed after them: attempts in progress need it. */
function openSender({ config, clock, lifetime, registry }: Ports): Sender {
  const sender = createSender({
    target: openWebhookTarget(config, registry.internal),
    clock,
    timeoutMs: config.WEBHOOK_TIMEOUT,
  });
  lifetime.defer('webhook connections', () => sender.close());
  return sender;
}

const attemptsOn = (
  { config, clock, logger, metrics, runner, vault }: Ports,
  sender: Sender,
  wakeUps: WakeUps,
): Deliveries =>
  createDeliveries({
    runner,
    wakeUps,
    onAttempt: attemptMetrics(metrics),
    onUnopenable: unopenableSecretsMetric(metrics),
    send: (order) => sender.send(order),
    vault,
    secretField,
    backoffMs: config.WEBHOOK_BACKOFF,
    jitter: config.WEBHOOK_JITTER,
    slotsPerEndpoint: config.WEBHOOK_SLOTS,
    attemptsAtOnce: config.WEBHOOK_CONCURRENCY,
    attemptLimitMs: config.WEBHOOK_TIMEOUT,
    clock,
    now: () => performance.now(),
    pause: systemPause,
    after: systemAfter,
    random: Math.random,
    newCommandId: randomUUID,
    logger,
  });

/** The operator's page of the queues; undefined without an operator token. */
function openQueuePage(context: RoleContext): RequestListener | undefined {
  const { config, logger, lifetime } = context;
  if (config.OPERATOR_TOKEN === undefined) return undefined;
  const page = createQueuePage({
    queueUrl: need(config, 'QUEUE_URL'),
    queues: Object.values(queueNames),
    password: config.OPERATOR_TOKEN,
    attempts: openRateLimits(context).attempts,
    logger,
  });
  lifetime.defer('queue page', () => page.close());
  return page.listener;
}
