import type pg from 'pg';
import { replaySourceIn, webhookProcesses } from '../../../commands/processes/webhooks/index.ts';
import type { Runner } from '../../../commands/runner.ts';
import type { EventStore } from '../../event-store/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { openWakeUps } from './wake-ups.ts';

interface Deciding {
  readonly pool: pg.Pool;
  readonly store: EventStore;
  readonly runner: Runner;
}

/** The managers of webhooks, and their sweeps. */
export function openWebhookProcesses(context: RoleContext, { pool, store, runner }: Deciding) {
  const { config, clock, logger } = context;
  return webhookProcesses({
    store,
    runner,
    clock,
    logger,
    wakeUps: openWakeUps(context, 'deliveries'),
    source: replaySourceIn(pool),
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
    sweepMs: config.SWEEP_INTERVAL,
  });
}
