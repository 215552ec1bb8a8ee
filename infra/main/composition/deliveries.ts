import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  createDeliveries,
  type AttemptSeen,
  type Deliveries,
} from '../../../commands/webhook-delivery/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import { systemAfter, systemPause } from '../../platform/clock.ts';
import type { WakeUps } from '../../queue/types.ts';
import { secretField } from '../../webhooks/secret.ts';
import { createSender, type Sender } from '../../webhooks/sender.ts';
import type { RoleContext } from '../roles/role.ts';
import { openVault } from './vault.ts';
import { openWebhookTarget } from './webhooks.ts';

export interface DeliveriesOn {
  readonly pool: pg.Pool;
  readonly runner: Runner;
  readonly wakeUps: WakeUps;
  readonly onAttempt?: (seen: AttemptSeen) => void;
  readonly onSetback?: () => void;
}

/** Opened before the queues, so that the attempts under way still have it when those close. */
export function openSender({ config, clock, lifetime }: RoleContext): Sender {
  const sender = createSender({
    target: openWebhookTarget(config),
    clock,
    timeoutMs: config.WEBHOOK_TIMEOUT,
  });
  lifetime.defer('webhook connections', () => sender.close());
  return sender;
}

export const deliveriesOn = (
  { config, clock, logger }: RoleContext,
  sender: Sender,
  { pool, runner, wakeUps, onAttempt, onSetback }: DeliveriesOn,
): Deliveries =>
  createDeliveries({
    runner,
    wakeUps,
    onAttempt,
    onSetback,
    send: (order) => sender.send(order),
    vault: openVault(config, pool),
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
