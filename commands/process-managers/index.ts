import type { Clock } from '../../infra/platform/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import { mailOfWakeUp, sendMail, type SendPorts } from '../mail/index.ts';
import { startHost, type Host, type HostOptions, type Sweep } from './engine/host.ts';
import { defaultHostSettings } from './engine/settings.ts';
import type { ProcessManager } from './engine/process-manager.ts';
import { NodeWatch, sweepLostNodes, type LostNodePorts } from './lost-nodes.ts';
import { onTimer, sweepTimers, type TimerPorts } from './timers.ts';

export { startHost, type Host, type Sweep } from './engine/host.ts';
export { defaultHostSettings } from './engine/settings.ts';
export { processManager, type ProcessManager } from './engine/process-manager.ts';
export { processMigrations, reactionParkingIn } from './engine/tables.ts';
export {
  keyRemindersManager,
  mailSweep,
  mailWakeUpsManager,
  webhookNoticesManager,
} from './mail/managers.ts';
export { optionalMailManagers } from './mail/optional.ts';
export { drainingNodesSweep } from './draining-nodes.ts';
export { revokedNodesManager } from './lost-nodes.ts';
export { orderManagers, unsettledSweep } from './order.ts';
export { sessionAndAccountManagers, type ManagerPorts } from './managers.ts';
export { blobSweep, profileStatesManager } from './profile-states.ts';
export {
  cardCheckoutsManager,
  cardEntitlementsManager,
  cardErasuresManagers,
  cardEventsManager,
  cardMailsManager,
  type CardProcessorPorts,
} from './card-billing.ts';
export { cardCheckSweeps } from './card-checks.ts';
export { signInManagers } from './sign-in.ts';
export { profilePurgesManager } from './profile.ts';
export { endedInvitationsManager, teamInvitationsManager, teamRemovalsManager } from './team.ts';

/** A feature's parts of a host. */
export interface Processes {
  readonly managers: readonly ProcessManager[];
  readonly sweeps: readonly Sweep[];
}

/** Durations in milliseconds. */
export const defaultProcessSettings = {
  ...defaultHostSettings,
  /** Interval of the sweep for due timers without a wake-up. */
  timerSweepMs: 3000,
  /** Interval at which the nodes' heartbeats are checked. */
  nodeSweepMs: 5000,
  /** Lease of a node: how long it may be silent before its sessions count as lost. */
  nodeLeaseMs: 30_000,
};

type ProcessSettings = Readonly<typeof defaultProcessSettings>;
export interface ProcessesOptions
  extends ProcessSettings, Omit<HostOptions, 'name'>, TimerPorts, LostNodePorts {
  readonly clock: Clock;
  /** In addition to the host's own. */
  readonly sweeps?: readonly Sweep[];
}

/** Hosts the process managers, the timers, and the sweeps of timers and lost nodes. */
export function startProcesses(options: ProcessesOptions): Host {
  const { timerSweepMs, nodeSweepMs, nodeLeaseMs, sweeps = [] } = options;
  const watch = new NodeWatch(nodeLeaseMs, nodeSweepMs * 3);
  return startHost({ ...options, name: 'processes' }, [
    { name: 'timers', everyMs: timerSweepMs, run: (signal) => sweepTimers(options, signal) },
    { name: 'lost nodes', everyMs: nodeSweepMs, run: () => sweepLostNodes(options, watch) },
    ...sweeps,
  ]);
}

/** Handles wake-ups in this process, in any number of processes: each timer is decided on its stream. */
export const handleWakeUps = (wakeUps: WakeUps, ports: TimerPorts): void =>
  wakeUps.onWakeUp((id) => onTimer(ports, id));

/** Sends the mails of wake-ups in this process, in any number of processes. */
export const handleMailWakeUps = (wakeUps: WakeUps, ports: SendPorts): void =>
  wakeUps.onWakeUp(async (id) => {
    const mailId = mailOfWakeUp(id);
    if (mailId !== undefined) await sendMail(ports, mailId);
  });
