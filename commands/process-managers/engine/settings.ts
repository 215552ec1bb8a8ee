/** Durations in milliseconds. */
export interface HostSettings {
  /** How often parked reactions are tried again. */
  readonly parkedRetryMs: number;
  /** How often the checkpoint is written. */
  readonly checkpointMs: number;
  /** Interval at which a standby tries to become the leader. */
  readonly standbyMs: number;
  /** The pause after a reaction's first failure; it doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** How often a reaction is tried before it is parked. */
  readonly attempts: number;
  /** Reactions under way at once. One may wait for a node that does not answer. */
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
