import {
  defaultProcessSettings,
  reactionParkingIn,
  startProcesses,
} from '../../../commands/process-managers/index.ts';
import { runningSessions } from '../../../projections/queries/session.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { composeCommands } from '../composition/commands.ts';
import { storeChecks, type Ports } from '../composition/ports.ts';
import { composeProcesses } from '../composition/processes.ts';
import type { ComposeRole } from './role.ts';

/** What follows from events and from time: of several hosts one works, the others stand by. */
export const processes: ComposeRole<Ports> = async (ports) => {
  const { metrics, lifetime, pool } = ports;
  const commands = composeCommands(ports);
  const running = startProcesses({
    ...settings(ports),
    ...commands,
    ...(await composeProcesses(ports, commands)),
    ...{ store: ports.store, runner: ports.runner, registry: ports.registry, pool },
    runningSessions: () => runningSessions(pool),
    timers: dueTimersIn(pool),
  });
  lifetime.defer('processes', () => running.close());
  metrics.gauge('service_processes_working', '1 in the host that holds the lock', () =>
    Number(running.working()),
  );
  metrics.gauge(
    'service_parked_reactions',
    'Reactions given up until they are retried',
    async () => (await reactionParkingIn(pool).list()).length,
  );
  return { checks: storeChecks(ports) };
};

const settings = ({ config, clock, logger }: Ports) => ({
  ...defaultProcessSettings,
  timerSweepMs: config.SWEEP_INTERVAL,
  nodeLeaseMs: config.NODE_LOST_AFTER,
  nodeSweepMs: Math.max(1, Math.ceil(config.NODE_LOST_AFTER / 6)),
  concurrency: config.REACTIONS_AT_ONCE,
  clock,
  logger,
});
