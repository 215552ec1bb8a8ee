import type pg from 'pg';
import pino from 'pino';
import {
  createAgentSessionUpkeep,
  defaultAgentSettings,
  type AgentSettings,
} from '../../commands/agent-session/index.ts';
import { createRunner, type Runner } from '../../commands/engine/runner.ts';
import {
  defaultProcessSettings,
  orderManagers,
  processManagers,
  processMigrations,
  startProcesses,
  unsettledSweep,
} from '../../commands/process-managers/index.ts';
import { createSessionCommands, defaultSessionLimits } from '../../commands/session/index.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { refuse } from '../../contracts/problems.ts';
import { systemClock, systemPause, type Clock } from '../../infra/platform/clock.ts';
import { createSignsOfLife, migrate } from '../../infra/postgres/index.ts';
import { startWholeService } from '../../infra/verification/security/whole-service.ts';
import { dueTimersIn } from '../../projections/queries/timer.ts';
import type { WriteSideOptions } from '../testing.ts';
import { createOrderUpkeep } from '../../commands/order/upkeep.ts';
import { unsettledPayments } from '../../projections/queries/order.ts';

const logger = pino({ level: 'silent' });

const noNodes = {
  runningSessions: () => Promise.resolve([]),
  registry: { list: () => Promise.resolve([]), listeningForMs: () => Promise.resolve(0) },
};

/** The whole service, with a host of process managers and timers beside it that is in a hurry. */
export async function startServiceWithProcesses(options: WriteSideOptions = {}) {
  const service = await startWholeService(options);
  const { store, pool, fleet } = service;
  await migrate(pool, processMigrations);
  const settings: AgentSettings = { ...defaultAgentSettings, ...options.agents?.settings };
  const clock = options.clock ?? systemClock;
  const runner = createRunner({ store, logger, cacheEntries: 100 });
  const sessions = createSessionCommands({
    ...{ runner, fleet, clock, logger, pause: systemPause, archetypes: archetypeCatalogue },
    proxies: { open: () => Promise.reject(refuse('not-found')), probe: () => Promise.resolve(null) },
    limits: { ...defaultSessionLimits, ...options.limits },
  });
  const signsOfLife = createSignsOfLife({ pool, clock, logger });
  const agentSessions = createAgentSessionUpkeep({ runner, fleet, clock, sessions, signsOfLife, settings });
  const { orders, sweep } = ordersOn(options, { runner, clock, pool });
  const host = startProcesses({
    ...defaultProcessSettings,
    ...{ timerSweepMs: 20, checkpointMs: 10, standbyMs: 20, store, pool, clock, runner, logger },
    ...{ sessions, agentSessions, orders, timers: dueTimersIn(pool), sweeps: [sweep] },
    ...noNodes,
    managers: [
      ...orderManagers(orders),
      ...processManagers({
        ...{ sessions, agentSessions, logger },
        isStopped: () => Promise.resolve(false),
        carryOutErasure: () => Promise.resolve(),
        ensureSuccessor: () => Promise.resolve(),
        // Everything rests on the sweeps.
        wakeUps: { schedule: () => Promise.reject(new Error('There is no queue.')) },
      }),
    ],
  });
  return {
    ...service,
    signsOfLife,
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
