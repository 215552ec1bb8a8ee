import type { Logger } from 'pino';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';
import type { Fleet } from '../../infra/fleet/control-plane/port.ts';
import type { Pause } from '../../infra/platform/clock.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { ProxyCommands } from '../proxy.ts';

/** Durations in milliseconds. */
export interface SessionLimits {
  /** How long a slot may be held without its session having been requested. */
  readonly slotLeaseMs: number;
  /** How long a node may take to start a browser. */
  readonly creationDeadlineMs: number;
  /** Time after which an unsettled creation counts as failed; longer than the deadline, or it would end live ones. */
  readonly creationLeaseMs: number;
  /** An operation's time when its request names none. */
  readonly operationTimeoutMs: number;
  /** How much longer than its timeout an operation may stay unanswered before the browser counts as silent. */
  readonly silenceGraceMs: number;
  /** Lifetime on the tiers whose sessions end on their own. */
  readonly freeSessionMs: number;
  /** How long a node may take to save the profile of a session that has ended. */
  readonly saveLeaseMs: number;
  /** How long a creation waits for its profile while that is being saved. */
  readonly profileWaitMs: number;
}

export const defaultSessionLimits: SessionLimits = {
  slotLeaseMs: 60_000,
  creationDeadlineMs: 60_000,
  creationLeaseMs: 90_000,
  operationTimeoutMs: 30_000,
  silenceGraceMs: 15_000,
  freeSessionMs: 20 * 60_000,
  saveLeaseMs: 5 * 60_000,
  profileWaitMs: 30_000,
};

export interface SessionPorts extends CommandPorts {
  readonly fleet: Fleet;
  readonly pause: Pause;
  readonly proxies: Pick<ProxyCommands, 'open' | 'probe'>;
  readonly archetypes: ArchetypeCatalogue;
  readonly limits: SessionLimits;
  readonly logger: Logger;
}

/** A session that exists and belongs to the caller's account. Only `find` makes one. */
export interface OwnedSession {
  readonly id: SessionId;
  readonly accountId: AccountId;
}
