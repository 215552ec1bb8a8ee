import type { Logger } from 'pino';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Fleet } from '../../infra/fleet/control-plane/port.ts';
import type { ProxyCommands } from '../proxy.ts';
import type { Runner } from '../engine/runner.ts';

/** Durations in milliseconds. */
export interface SessionLimits {
  /** How long a slot may be held without its session having been requested. */
  readonly slotLeaseMs: number;
  /** How long a node may take to start a browser. */
  readonly creationDeadlineMs: number;
  /** When a creation nobody settled counts as failed; longer than the deadline, or it would cut live ones short. */
  readonly creationLeaseMs: number;
  /** An operation's time when its request names none. */
  readonly operationTimeoutMs: number;
  /** How much longer than its timeout an operation may stay unanswered before the browser counts as silent. */
  readonly silenceGraceMs: number;
  /** Lifetime on the tiers whose sessions end on their own. */
  readonly freeSessionMs: number;
}

export const defaultSessionLimits: SessionLimits = {
  slotLeaseMs: 60_000,
  creationDeadlineMs: 60_000,
  creationLeaseMs: 90_000,
  operationTimeoutMs: 30_000,
  silenceGraceMs: 15_000,
  freeSessionMs: 20 * 60_000,
};

/** What the session handlers work with. */
export interface SessionPorts {
  readonly runner: Runner;
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly proxies: Pick<ProxyCommands, 'open' | 'probe'>;
  readonly archetypes: ArchetypeCatalogue;
  readonly limits: SessionLimits;
  readonly logger: Logger;
}
