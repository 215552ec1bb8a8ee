import type { Logger } from 'pino';
import type { NodeRegistry } from './registry.ts';

/** Missed heartbeats after which an ingress counts as gone. */
const missedBeats = 3;

export interface ListeningOptions {
  readonly registry: Pick<NodeRegistry, 'listening' | 'present'>;
  /** Id of this process. */
  readonly instance: string;
  /** Milliseconds between two heartbeats of a node, and between two of this process. */
  readonly heartbeatMs: number;
  /** Rejects while the log cannot be read: registered nodes may then be unknown to this process. */
  readonly ping: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Keeps recording that this process takes heartbeats. While no ingress takes the heartbeats of all nodes, nodes must
 * not count as silent; otherwise a restart of the control plane would end every session.
 */
export function keepListening({ registry, instance, heartbeatMs, ping, logger }: ListeningOptions): {
  close(): void;
} {
  const forMs = missedBeats * heartbeatMs;
  const record = async (): Promise<void> => {
    await registry.present(instance, forMs);
    await ping();
    await registry.listening(forMs);
  };
  let recording: Promise<void> | undefined;
  const beat = (): void => {
    recording ??= record()
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'The heartbeat of the ingress was not recorded.');
      })
      .finally(() => (recording = undefined));
  };
  beat();
  const timer = setInterval(beat, heartbeatMs);
  return { close: () => clearInterval(timer) };
}
