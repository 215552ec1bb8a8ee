import { need, type Config } from '../../config/index.ts';
import { smtpConnections } from '../../mail/index.ts';
import { createWakeUps } from '../../queue/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import type { RoleContext } from '../roles/role.ts';
import { finishLimitMs } from '../roles/table.ts';

/** Separate queues, so that one kind of wake-up never waits behind another. */
export const queueNames = { timers: 'wake-ups', deliveries: 'deliveries', mail: 'mail' } as const;
export type QueueName = keyof typeof queueNames;

/** Concurrency. Attempts of deliveries mostly wait for a receiver. */
const concurrencies: Readonly<Record<QueueName, (config: Config) => number>> = {
  timers: () => 16,
  deliveries: (config) => config.WEBHOOK_CONCURRENCY,
  mail: () => smtpConnections,
};

export function openWakeUps(context: RoleContext, name: QueueName): WakeUps {
  const wakeUps = open(context, name);
  context.lifetime.defer(`${name} queue`, () => wakeUps.close());
  return wakeUps;
}

/** All queues, for a process that handles them; on shutdown they finish their current jobs concurrently. */
export function openEveryQueue(context: RoleContext): Readonly<Record<QueueName, WakeUps>> {
  const timers = open(context, 'timers');
  const deliveries = open(context, 'deliveries');
  const mail = open(context, 'mail');
  context.lifetime.defer('queues', () => Promise.all([timers, deliveries, mail].map((each) => each.close())));
  return { timers, deliveries, mail };
}

const open = ({ config, clock, logger }: RoleContext, name: QueueName): WakeUps =>
  createWakeUps({
    url: need(config, 'QUEUE_URL'),
    clock,
    logger,
    queueName: queueNames[name],
    concurrency: concurrencies[name](config),
    closeTimeoutMs: finishLimitMs(config),
    lockMs: config.QUEUE_LOCK,
  });
