import type pg from 'pg';
import {
  defaultProcessSettings,
  parkedReactions,
  processManagers,
  startProcesses,
} from '../../../commands/process-managers/index.ts';
import { runningSessions } from '../../../projections/queries/session.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { accountCommandsOn, apiKeyCommandsOn, sessionCommandsOn } from '../composition/commands.ts';
import { openRegistry } from '../composition/fleet.ts';
import { mailProcesses } from '../composition/mail.ts';
import { openEventStore, openPostgres, openRunner, storeChecks } from '../composition/stores.ts';
import { openWakeUps } from '../composition/wake-ups.ts';
import { openWebhookProcesses } from '../composition/webhook-processes.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/** What follows from events and from time: of several hosts one works, the others stand by. */
export const processes: ComposeRole = async (context) => {
  const { metrics, lifetime } = context;
  const { pool } = openPostgres(context, 'processes');
  const store = openEventStore(context);
  const running = startProcesses({ ...settings(context), ...reactions(context, pool, store), store, pool });
  lifetime.defer('processes', () => running.close());
  metrics.gauge('service_processes_working', '1 in the host that holds the lock', () =>
    Number(running.working()),
  );
  metrics.gauge(
    'service_parked_reactions',
    'Reactions given up until they are retried',
    async () => (await parkedReactions(pool)).length,
  );
  return { checks: storeChecks(pool, store) };
};

const settings = ({ config, clock, logger }: RoleContext) => ({
  ...defaultProcessSettings,
  timerSweepMs: config.SWEEP_INTERVAL,
  nodeLeaseMs: config.NODE_LOST_AFTER,
  nodeSweepMs: Math.max(1, Math.ceil(config.NODE_LOST_AFTER / 6)),
  concurrency: config.REACTIONS_AT_ONCE,
  clock,
  logger,
});

/** What the host reacts with. */
function reactions(context: RoleContext, pool: pg.Pool, store: EventStore) {
  const { config, clock, logger } = context;
  const runner = openRunner(context, store);
  const registry = openRegistry(config, pool);
  const sessions = sessionCommandsOn(context, runner, pool);
  const accounts = accountCommandsOn({ config, clock, runner }, pool);
  const apiKeys = apiKeyCommandsOn({ config, clock, runner });
  const mail = mailProcesses(context, { pool, runner });
  const webhooks = openWebhookProcesses(context, { pool, store, runner });
  const managers = processManagers({
    sessions,
    isSuspended: (accountId) => accounts.isSuspended(accountId),
    ensureSuccessor: (rotation, cause) => apiKeys.ensureSuccessor(rotation, cause),
    wakeUps: openWakeUps(context),
    logger,
  });
  return {
    registry,
    runningSessions: () => runningSessions(pool),
    timers: dueTimersIn(pool),
    sessions,
    runner,
    managers: [...managers, ...mail.managers, ...webhooks.managers],
    sweeps: [...mail.sweeps, ...webhooks.sweeps],
  };
}
