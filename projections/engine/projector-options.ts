import type pg from 'pg';
import type { Logger } from 'pino';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Parked } from './parking.ts';
import type { Projection } from './projection.ts';

interface BatchApplied {
  /** Its events in log order, parked ones included. */
  readonly happened: readonly RecordedEvent[];
  /** Time from the append of its last event to its commit here, in milliseconds. */
  readonly lagMs: number;
}

/** What the projector reports, for metrics. */
export interface ProjectorObserver {
  applied?(batch: BatchApplied): void;
  parked?(event: Parked): void;
}

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly projections?: readonly Projection[];
  readonly batchEvents?: number;
  /** How long an event may wait for its batch to fill, in milliseconds. */
  readonly batchWindowMs?: number;
  /** Interval at which a standby tries to become the leader, in milliseconds. */
  readonly standbyMs?: number;
  /** Maximum back-off between failing terms, in milliseconds. */
  readonly maxBackoffMs?: number;
  readonly observer?: ProjectorObserver;
  /** Number of days kept in tables by day; default: unchanged. */
  readonly keptDays?: number;
}
