import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type pg from 'pg';
import type { Runner } from '../../../commands/engine/runner.ts';
import { defaultHostSettings, handleWakeUps, startHost } from '../../../commands/process-managers/index.ts';
import { deliveringProcess } from '../../../commands/process-managers/webhook-delivery/index.ts';
import {
  type AttemptSeen,
  createDeliveries,
  type Deliveries,
  handleDeliveryWakeUps,
} from '../../../commands/webhook-delivery/index.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { need } from '../../config/index.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { systemAfter, systemPause } from '../../platform/clock.ts';
import { createQueuePage } from '../../queue/page/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import type { Vault } from '../../vault/index.ts';
import { secretField } from '../../webhooks/signature.ts';
import { createSender, type Sender } from '../../webhooks/sender.ts';
import { agentUpkeepOn } from '../composition/agents.ts';
import { sessionCommandsOn } from '../composition/commands.ts';
import { handleMails, openMailer } from '../composition/mail.ts';
import { orderUpkeepOn } from '../composition/orders.ts';
import { openRateLimits } from '../composition/http.ts';
import {
  openPostgres,
  openRegistry,
  openRunner,
  openSealedStore,
  openVault,
  storeChecks,
} from '../composition/stores.ts';
import { openEveryQueue, queueNames } from '../composition/wake-ups.ts';
import { attemptMetrics, queueGauge, unopenableSecretsMetric } from '../composition/metrics.ts';
import { openWebhookTarget, type OtherAddresses } from '../composition/outbound.ts';
import { registerKeys } from '../composition/secrets.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/**
 * Does what is due when its wake-up comes; any number of workers may. One of them also tells endpoints of events as they
 * happen. Told to stop, it takes no more, and what is under way gets to record its outcome: the host of first attempts and
 * the queues are the first to close.
 */
export const worker: ComposeRole = async (context) => {
  const { config, clock, logger, metrics } = context;
  const { pool } = openPostgres(context, 'worker');
  await registerKeys(context, pool, 'worker');
  const vault = openVault(config, pool);
  const registry = openRegistry(config, pool);
  const store = openSealedStore(context, vault);
  const runner = openRunner(context, store);
  const { sessions, fleet } = sessionCommandsOn(context, { runner, vault, registry });
  const agentSessions = agentUpkeepOn(context, { pool, runner, sessions, fleet });
  const mailer = openMailer(context);
  const connections = openSender(context, registry.internal);
  const queues = openEveryQueue(context);
  const { timers, deliveries, mail } = queues;
  queueGauge(metrics, queues);
  const on = {
    ...{ pool, runner, vault, wakeUps: deliveries },
    ...{ onAttempt: attemptMetrics(metrics), onUnopenable: unopenableSecretsMetric(metrics) },
  };
  const attempts = deliveriesOn(context, connections, on);
  handleDeliveryWakeUps(deliveries, attempts);
  const orders = orderUpkeepOn(context, runner);
  const deciding = { sessions, agentSessions, orders, runner };
  handleWakeUps(timers, { ...deciding, timers: dueTimersIn(pool), clock, logger });
  if (mailer !== undefined) handleMails(context, { runner, vault }, mailer, mail);
  const page = openQueuePage(context);
  hostFirstAttempts(context, store, on, attempts);
  return { checks: storeChecks(pool, store), ...(page && { app: page }) };
};

function hostFirstAttempts(
  { config, clock, logger, metrics, lifetime }: RoleContext,
  store: EventStore,
  { pool, runner, wakeUps }: DeliveriesOn,
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

interface DeliveriesOn {
  readonly pool: pg.Pool;
  readonly runner: Runner;
  readonly vault: Vault;
  readonly wakeUps: WakeUps;
  readonly onAttempt?: (seen: AttemptSeen) => void;
  readonly onUnopenable?: () => void;
}

/** Opened before the queues, so that the attempts under way still have it when those close. */
function openSender({ config, clock, lifetime }: RoleContext, nodes: OtherAddresses): Sender {
  const sender = createSender({
    target: openWebhookTarget(config, nodes),
    clock,
    timeoutMs: config.WEBHOOK_TIMEOUT,
  });
  lifetime.defer('webhook connections', () => sender.close());
  return sender;
}

const deliveriesOn = (
  { config, clock, logger }: RoleContext,
  sender: Sender,
  { runner, vault, wakeUps, onAttempt, onUnopenable }: DeliveriesOn,
): Deliveries =>
  createDeliveries({
    runner,
    wakeUps,
    onAttempt,
    onUnopenable,
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

/** The operator's look into the queues; none where no token was given to admit the operator with. */
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
