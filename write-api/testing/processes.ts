import type pg from 'pg';
import pino from 'pino';
import {
  createAgentSessionUpkeep,
  defaultAgentSettings,
  type AgentSettings,
} from '../../commands/agent-session/index.ts';
import { type CommandPorts, createRunner, type Runner } from '../../commands/engine/runner.ts';
import {
  defaultProcessSettings,
  orderManagers,
  processManagers,
  processMigrations,
  startProcesses,
  unsettledSweep,
  type ProcessManager,
  type Sweep,
} from '../../commands/process-managers/index.ts';
import { createSessionCommands, defaultSessionLimits } from '../../commands/session/index.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { refuse } from '../../contracts/problems.ts';
import { systemClock, systemPause, type Clock } from '../../infra/platform/clock.ts';
import { createHeartbeats } from '../../infra/ephemeral/index.ts';
import { migrate } from '../../infra/postgres/index.ts';
import { startWholeService, type WholeService } from '../../infra/verification/security/whole-service.ts';
import { sealedStore } from '../../infra/personal/sealed-store.ts';
import { dueTimersIn } from '../../projections/queries/timer.ts';
import type { WriteSideOptions } from '../testing.ts';
import { createOrderUpkeep } from '../../commands/order/upkeep.ts';
import { unsettledPayments } from '../../projections/queries/order.ts';

const logger = pino({ level: 'silent' });

const noNodes = {
  runningSessions: () => Promise.resolve([]),
  registry: { list: () => Promise.resolve([]), listeningForMs: () => Promise.resolve(0) },
};

/** What a test has in the host besides. */
export type More = (ports: Pick<WholeService, 'pool' | 'vault'> & CommandPorts) => {
  readonly managers?: readonly ProcessManager[];
  readonly sweeps?: readonly Sweep[];
};

const nothingElse = {
  isStopped: () => Promise.resolve(false),
  carryOutErasure: () => Promise.resolve(),
  ensureSuccessor: () => Promise.resolve(),
  // Everything rests on the sweeps.
  wakeUps: { schedule: () => Promise.reject(new Error('There is no queue.')) },
};

/** The whole service, with a host of process managers and timers beside it that is in a hurry. */
export async function startServiceWithProcesses(options: WriteSideOptions = {}, more: More = () => ({})) {
  const service = await startWholeService(options);
  const { pool, fleet, vault } = service;
  const store = sealedStore(service.store, vault);
  await migrate(pool, processMigrations);
  const settings: AgentSettings = { ...defaultAgentSettings, ...options.agents?.settings };
  const clock = options.clock ?? systemClock;
  const runner = createRunner({ store, logger, cacheEntries: 100 });
  const sessions = createSessionCommands({
    ...{ runner, fleet, clock, logger, pause: systemPause, archetypes: archetypeCatalogue },
    proxies: { open: () => Promise.reject(refuse('not-found')), probe: () => Promise.resolve(null) },
    limits: { ...defaultSessionLimits, ...options.limits },
  });
  const heartbeats = createHeartbeats({ pool, clock, logger });
  const agentSessions = createAgentSessionUpkeep({ runner, fleet, clock, sessions, heartbeats, settings });
  const { orders, sweep } = ordersOn(options, { runner, clock, pool });
  const { managers = [], sweeps = [] } = more({ pool, vault, runner, clock });
  const host = startProcesses({
    ...defaultProcessSettings,
    ...{ timerSweepMs: 20, checkpointMs: 10, standbyMs: 20, store, pool, clock, runner, logger },
    ...{ sessions, agentSessions, orders, timers: dueTimersIn(pool) },
    ...noNodes,
    sweeps: [sweep, ...sweeps],
    managers: [
      ...managers,
      ...orderManagers(orders),
      ...processManagers({ sessions, agentSessions, logger, ...nothingElse }),
    ],
  });
  return {
    ...service,
    heartbeats,
    async close(): Promise<void> {
      await host.close();
      await service.close();
    },
  };
}

export type ServiceWithProcesses = Awaited<ReturnType<typeof startServiceWithProcesses>>;

function ordersOn(
  { orders: sold }: WriteSideOptions,
  { runner, clock, pool }: { readonly runner: Runner; readonly clock: Clock; readonly pool: pg.Pool },
) {
  const orders = createOrderUpkeep({ runner, clock, payments: sold?.payments });
  const unsettled = () => unsettledPayments(pool);
  return { orders, sweep: unsettledSweep({ orders, unsettled, clock, logger, everyMs: 200 }) };
}
