import {
  defaultProcessSettings,
  processMigrations,
  type Sweep,
} from '../../commands/process-managers/index.ts';
import type { ProcessPorts } from '../../infra/main/composition/process-ports.ts';
import { hostProcesses } from '../../infra/main/composition/processes.ts';
import { openRunner } from '../../infra/main/composition/stores.ts';
import { migrate } from '../../infra/postgres/index.ts';
import { sealedStore } from '../../infra/personal/sealed-store.ts';
import { startWholeService, type WholeService } from '../../infra/verification/security/whole-service.ts';
import type { WriteSideOptions } from '../testing.ts';

/** Leaves all work to the sweeps. */
const noQueue = {
  schedule: () => Promise.reject(new Error('There is no queue.')),
  scheduleAll: () => Promise.reject(new Error('There is no queue.')),
  hasten: () => Promise.reject(new Error('There is no queue.')),
};

const hasty = { ...defaultProcessSettings, timerSweepMs: 20, checkpointMs: 10, standbyMs: 20 };

/** The whole service, with a process host with short intervals. */
export async function startServiceWithProcesses(
  options: WriteSideOptions = {},
  sweeps: (ports: ProcessPorts) => readonly Sweep[] = () => [],
) {
  const service = await startWholeService(options);
  await migrate(service.pool, processMigrations);
  const ports = processPortsOf(service);
  const host = hostProcesses(ports, hasty, sweeps(ports));
  return {
    ...service,
    heartbeats: ports.heartbeats,
    async close(): Promise<void> {
      await host.close();
      await service.close();
    },
  };
}

/** The write side's ports, on its unwrapped store, with a runner of their own. */
export function processPortsOf({ ports, store: record }: WholeService): ProcessPorts {
  const store = sealedStore(record, ports.vault);
  return {
    ...{ ...ports, record, store, runner: openRunner(ports, store) },
    queues: { timers: noQueue, deliveries: noQueue, mail: undefined },
    askAgain: { unsettledMs: 200, cardsMs: 0 },
  };
}

export type ServiceWithProcesses = Awaited<ReturnType<typeof startServiceWithProcesses>>;
