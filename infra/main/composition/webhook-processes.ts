import type pg from 'pg';
import { createCancelling } from '../../../commands/webhook-delivery/index.ts';
import { deliveriesSweep } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import { accountEventsBetween, hasAccountEventsUpTo } from '../../../projections/queries/account-event.ts';
import { countOpenDeliveriesOf, openDeliveriesIn } from '../../../projections/queries/webhook-delivery.ts';
import { endpointsBeingReplayed } from '../../../projections/queries/webhook-replay.ts';
import {
  replaySource,
  type ReplayReads,
  webhookProcesses,
} from '../../../commands/process-managers/webhook-delivery/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { systemPause } from '../../platform/clock.ts';
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
  const wakeUps = openWakeUps(context, 'deliveries');
  const now = () => performance.now();
  const { managers, sweeps } = webhookProcesses({
    store,
    runner,
    clock,
    now,
    pause: systemPause,
    logger,
    wakeUps,
    source: replaySource(replayReadsIn(pool)),
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
    sweepMs: config.SWEEP_INTERVAL,
  });
  const cancel = createCancelling({ runner, clock, now });
  const lost = deliveriesSweep(
    { open: openDeliveriesIn(pool), clock, wakeUps, cancel, logger },
    config.SWEEP_INTERVAL,
  );
  return { managers, sweeps: [...sweeps, lost] };
}

/** What replays ask of the read models. */
export const replayReadsIn = (pool: Pick<pg.Pool, 'query'>): ReplayReads => ({
  hasReached: (accountId, position) => hasAccountEventsUpTo(pool, accountId, position),
  eventsOf: (accountId, range) => accountEventsBetween(pool, accountId, range),
  openDeliveries: (replayId, limit) => countOpenDeliveriesOf(pool, replayId, limit),
  running: () => endpointsBeingReplayed(pool),
});
