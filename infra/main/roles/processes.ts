import type pg from 'pg';
import {
  blobSweep,
  defaultProcessSettings,
  parkedReactions,
  profileErasuresManager,
  profilePurgesManager,
  processManagers,
  profileStatesManager,
  startProcesses,
} from '../../../commands/process-managers/index.ts';
import {
  type ReplayReads,
  replaySource,
  webhookProcesses,
} from '../../../commands/process-managers/webhook-delivery/index.ts';
import type { SessionCommands } from '../../../commands/session/index.ts';
import { deliveriesSweep } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import { createCancelling } from '../../../commands/webhook-delivery/index.ts';
import { accountEventsBetween, hasAccountEventsUpTo } from '../../../projections/queries/account-event.ts';
import { runningSessions } from '../../../projections/queries/session.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { countOpenDeliveriesOf, openDeliveriesIn } from '../../../projections/queries/webhook-delivery.ts';
import { endpointsBeingReplayed } from '../../../projections/queries/webhook-replay.ts';
import { systemPause } from '../../platform/clock.ts';
import { agentUpkeepOn } from '../composition/agents.ts';
import {
  accountCommandsOn,
  apiKeyCommandsOn,
  erasureOn,
  sessionCommandsOn,
} from '../composition/commands.ts';
import {
  openPostgres,
  openRegistry,
  openRunner,
  openSealedStore,
  openVault,
  storeChecks,
  type Deciding,
} from '../composition/stores.ts';
import { cardProcesses } from '../composition/cards.ts';
import { deprecationProcesses } from '../composition/deprecations.ts';
import { mailProcesses } from '../composition/mail.ts';
import { statusManagers, statusSweeps } from '../composition/status.ts';
import { openProfileStates } from '../composition/profiles.ts';
import { orderProcesses } from '../composition/orders.ts';
import { teamManagers } from '../composition/teams.ts';
import { openWakeUps } from '../composition/wake-ups.ts';
import { onceAnswered } from '../composition/once-answered.ts';
import { openPeppers, registerKeys } from '../composition/secrets.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/** What follows from events and from time: of several hosts one works, the others stand by. */
export const processes: ComposeRole = async (context) => {
  const { config, metrics, lifetime } = context;
  const { pool } = openPostgres(context, 'processes');
  await registerKeys(context, pool, 'processes');
  const vault = openVault(config, pool);
  const store = openSealedStore(context, vault);
  const running = startProcesses({
    ...settings(context),
    ...(await reactions(context, { pool, store, vault })),
    store,
    pool,
  });
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
async function reactions(context: RoleContext, { pool, store, vault }: Omit<Deciding, 'runner'>) {
  const { config, clock, logger } = context;
  const runner = openRunner(context, store);
  const registry = openRegistry(config, pool);
  const { sessions, fleet } = sessionCommandsOn(context, { runner, vault, registry });
  const agentSessions = agentUpkeepOn(context, { pool, runner, sessions, fleet });
  const peppers = await onceAnswered(context, () => openPeppers(config, pool));
  const accounts = accountCommandsOn({ clock, runner, vault }, peppers);
  const apiKeys = apiKeyCommandsOn({ config, clock, runner });
  const deciding = { pool, store, runner, vault };
  const { orders, ...paying } = orderProcesses(context, deciding);
  const profiles = await openProfileProcesses(context, deciding, sessions);
  const parts = [...partsOf(context, deciding), profiles, paying];
  const managers = processManagers({
    ...{ sessions, agentSessions },
    isStopped: (accountId) => accounts.isStopped(accountId),
    carryOutErasure: erasureOn({ clock, runner, vault }, pool, peppers).carryOut,
    ensureSuccessor: (rotation, cause) => apiKeys.ensureSuccessor(rotation, cause),
    wakeUps: openWakeUps(context),
    logger,
  });
  return {
    registry,
    runningSessions: () => runningSessions(pool),
    timers: dueTimersIn(pool),
    ...{ sessions, agentSessions, orders, runner },
    managers: [...managers, ...parts.flatMap((part) => part.managers)],
    sweeps: parts.flatMap((part) => part.sweeps),
  };
}

/** The managers and sweeps of features that have nothing else in the host. */
function partsOf(context: RoleContext, deciding: Deciding) {
  return [
    mailProcesses(context, deciding),
    cardProcesses(context, deciding),
    openWebhookProcesses(context, deciding),
    { managers: teamManagers(context, deciding), sweeps: [] },
    { managers: statusManagers(context, deciding), sweeps: statusSweeps(context, deciding) },
    deprecationProcesses(context, deciding),
  ];
}

/** The managers of webhooks, and their sweeps. */
function openWebhookProcesses(context: RoleContext, { pool, store, runner }: Deciding) {
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

/** What follows from the saves and the ends of profiles, and the sweep of the object store. */
async function openProfileProcesses(
  context: RoleContext,
  { runner, vault }: Deciding,
  sessions: SessionCommands,
) {
  const { clock, logger } = context;
  const { blobs, states } = await openProfileStates(context, vault);
  const ports = { runner, clock, vault };
  return {
    managers: [
      profilePurgesManager(ports),
      profileErasuresManager(ports),
      profileStatesManager({ runner, states, sessions }),
    ],
    sweeps: [blobSweep({ blobs, runner, clock, logger })],
  };
}

/** What replays ask of the read models. */
export const replayReadsIn = (pool: Pick<pg.Pool, 'query'>): ReplayReads => ({
  hasReached: (accountId, position) => hasAccountEventsUpTo(pool, accountId, position),
  eventsOf: (accountId, range) => accountEventsBetween(pool, accountId, range),
  openDeliveries: (replayId, limit) => countOpenDeliveriesOf(pool, replayId, limit),
  running: () => endpointsBeingReplayed(pool),
});
