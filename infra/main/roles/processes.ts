import { defaultProcessSettings, reactionParkingIn } from '../../../commands/process-managers/index.ts';
import { auditSigningCheck } from '../composition/audit-heads.ts';
import { storeChecks, type Ports } from '../composition/ports.ts';
import { openProcessPorts } from '../composition/process-ports.ts';
import { hostProcesses } from '../composition/processes.ts';
import type { ComposeRole } from './role.ts';

/** Reactions and sweeps: of several hosts one leads, the others are on standby. */
export const processes: ComposeRole<Ports> = async (ports) => {
  const { config, metrics, lifetime, pool } = ports;
  const running = hostProcesses(await openProcessPorts(ports), {
    ...defaultProcessSettings,
    timerSweepMs: config.SWEEP_INTERVAL,
    nodeLeaseMs: config.NODE_LOST_AFTER,
    nodeSweepMs: Math.max(1, Math.ceil(config.NODE_LOST_AFTER / 6)),
  });
  lifetime.defer('processes', () => running.close());
  metrics.gauge('service_processes_working', '1 in the host that holds the lock', () =>
    Number(running.working()),
  );
  metrics.gauge(
    'service_parked_reactions',
    'Reactions that were parked after repeated failures',
    async () => (await reactionParkingIn(pool).list()).length,
  );
  return { checks: storeChecks(ports), degradations: { 'audit-signing': auditSigningCheck(ports) } };
};
