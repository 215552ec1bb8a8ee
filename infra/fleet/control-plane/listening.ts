import type { Logger } from 'pino';
import type { NodeRegistry } from './registry.ts';

/** Missed beats after which an ingress counts as gone. */
const missedBeats = 3;

export interface ListeningOptions {
  readonly registry: Pick<NodeRegistry, 'listening'>;
  /** The process that says so. */
  readonly instance: string;
  /** Milliseconds between two heartbeats of a node, and between two of these. */
  readonly heartbeatMs: number;
  readonly logger: Logger;
}

/**
 * Keeps saying that heartbeats are taken here. No heartbeat arrives while no ingress listens, and that silence must not
 * be held against them: a restart of the control plane would end every session.
 */
export function keepListening({ registry, instance, heartbeatMs, logger }: ListeningOptions): {
  close(): void;
} {
  const beat = (): void => {
    registry.listening(instance, missedBeats * heartbeatMs).catch((error: unknown) => {
      logger.warn({ err: error }, 'The ingress could not say that it listens.');
    });
  };
  beat();
  const timer = setInterval(beat, heartbeatMs);
  return { close: () => clearInterval(timer) };
}
