import type { WakeUps } from '../../infra/queue/types.ts';
import { mailOfWakeUp, sendMail, type SendPorts } from '../mail/index.ts';
import { startHost, type Host } from './engine/host.ts';
import { sweepLostNodes } from './node/lost-nodes.ts';
import { NodeWatch } from './node/node-watch.ts';
import type { ProcessesOptions } from './engine/settings.ts';
import { onTimer, sweepTimers, type TimerPorts } from './timers.ts';

export { startHost, type Host } from './engine/host.ts';
export {
  defaultHostSettings,
  defaultProcessSettings,
  type HostOptions,
  type ProcessesOptions,
  type ProcessSettings,
} from './engine/settings.ts';
export { processManagers, type ManagerPorts } from './managers.ts';
export { processManager, type ProcessDefinition, type ProcessManager } from './engine/process-manager.ts';
export { mailWakeUpsManager, webhookNoticesManager } from './mail/managers.ts';
export { mailSweep, type MailSweepPorts } from './mail/sweep.ts';
export type { Sweep } from './engine/leadership.ts';
export { processMigrations, parkedReactions, type ParkedReaction } from './engine/tables.ts';

/** Hosts what the service does about its own events and about time, and the sweeps of timers and of lost nodes. */
export function startProcesses(options: ProcessesOptions): Host {
  const { timerSweepMs, nodeSweepMs, nodeLeaseMs, sweeps = [] } = options;
  const watch = new NodeWatch(nodeLeaseMs, nodeSweepMs * 3);
  return startHost({ ...options, name: 'processes' }, [
    { name: 'timers', everyMs: timerSweepMs, run: () => sweepTimers(options) },
    { name: 'lost nodes', everyMs: nodeSweepMs, run: () => sweepLostNodes(options, watch) },
    ...sweeps,
  ]);
}

/** Handles wake-ups in this process; any number of processes may, since each timer is decided on its stream. */
export const handleWakeUps = (wakeUps: WakeUps, ports: TimerPorts): void =>
  wakeUps.onWakeUp((id) => onTimer(ports, id));

/** Sends the mails that wake-ups name, in this process; any number of processes may. */
export const handleMailWakeUps = (wakeUps: WakeUps, ports: SendPorts): void =>
  wakeUps.onWakeUp(async (id) => {
    const mailId = mailOfWakeUp(id);
    if (mailId !== undefined) await sendMail(ports, mailId);
  });
