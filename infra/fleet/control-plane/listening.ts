import type { Logger } from 'pino';
import type { NodeRegistry } from './registry.ts';

/** Missed heartbeats after which an ingress counts as gone. */
const missedBeats = 3;

export interface ListeningOptions {
  readonly registry: Pick<NodeRegistry, 'listening'>;
  /** Id of this process. */
  readonly instance: string;
  /** Milliseconds between two heartbeats of a node, and between two of this process. */
  readonly heartbeatMs: number;
  readonly logger: Logger;
}

/**
 * Keeps recording that this process takes heartbeats. While no ingress listens, none can arrive, and nodes must not count as silent:
 * otherwise a restart of the control plane would end every session.
 */
export function keepListening({ registry, instance, heartbeatMs, logger }: ListeningOptions): {
  close(): void;
} {
  const beat = (): void => {
    registry.listening(instance, missedBeats * heartbeatMs).catch((error: unknown) => {
      logger.warn({ err: error }, 'The heartbeat of the ingress was not recorded.');
    });
  };
  beat();
  const timer = setInterval(beat, heartbeatMs);
  return { close: () => clearInterval(timer) };
}
