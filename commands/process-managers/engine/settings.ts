import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../../infra/platform/clock.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import type { SessionCommands } from '../../session/index.ts';
import type { LostNodePorts } from '../node/lost-nodes.ts';
import type { ProcessManager } from './process-manager.ts';
import type { Sweep } from './leadership.ts';
import type { TimerPorts } from '../timers.ts';

/** Durations in milliseconds. */
export interface HostSettings {
  /** How often parked reactions are tried again. */
  readonly parkedRetryMs: number;
  /** How often the checkpoint is written. */
  readonly checkpointMs: number;
  /** How often a host that stands by asks whether it is needed. */
  readonly standbyMs: number;
  /** The pause after a reaction's first failure; it doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** How often a reaction is tried before it is parked. */
  readonly attempts: number;
  /** Reactions under way at once. One may wait for a node that does not answer. */
  readonly concurrency: number;
}

export interface ProcessSettings extends HostSettings {
  /** How often due timers without a wake-up are looked for. */
  readonly timerSweepMs: number;
  /** How often the nodes' heartbeats are looked at. */
  readonly nodeSweepMs: number;
  /** How long a node may stay unheard before its sessions count as lost. */
  readonly nodeLeaseMs: number;
}

export const defaultHostSettings: HostSettings = {
  parkedRetryMs: 60_000,
  checkpointMs: 200,
  standbyMs: 500,
  backoffMs: 100,
  maxBackoffMs: 10_000,
  attempts: 8,
  concurrency: 64,
};

export const defaultProcessSettings: ProcessSettings = {
  ...defaultHostSettings,
  timerSweepMs: 3000,
  nodeSweepMs: 5000,
  nodeLeaseMs: 30_000,
};

/** What every host of process managers has. */
export interface HostOptions extends HostSettings {
  /** Of several hosts of one name on one database one works. It names their lock and their checkpoint. */
  readonly name: 'processes' | 'deliveries';
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly managers: readonly ProcessManager[];
}

export interface ProcessesOptions extends ProcessSettings, Omit<HostOptions, 'name'> {
  readonly clock: Clock;
  readonly registry: LostNodePorts['registry'];
  readonly runningSessions: LostNodePorts['runningSessions'];
  readonly timers: TimerPorts['timers'];
  readonly sessions: SessionCommands;
  readonly runner: TimerPorts['runner'];
  /** Besides the host's own. */
  readonly sweeps?: readonly Sweep[];
}
