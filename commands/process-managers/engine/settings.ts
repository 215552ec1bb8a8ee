/** Durations in milliseconds. */
export interface HostSettings {
  /** Interval at which parked reactions are retried. */
  readonly parkedRetryMs: number;
  /** Interval at which the checkpoint is saved. */
  readonly checkpointMs: number;
  /** Interval at which a standby tries to become the leader. */
  readonly standbyMs: number;
  /** Back-off after a reaction's first failure; it doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Attempts of a reaction before it is parked. */
  readonly attempts: number;
  /** Maximum number of concurrent reactions. One may wait for a node that does not answer. */
  readonly concurrency: number;
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
