import type { Logger } from 'pino';
import type { AccountId, SessionId } from '../../contracts/ids.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';
import type { Fleet } from '../../infra/fleet/control-plane/port.ts';
import type { Pause } from '../../infra/platform/clock.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { ProxyCommands } from '../proxy.ts';

/** Durations in milliseconds. */
export interface SessionLimits {
  /** Lease of a slot whose session has not been requested. */
  readonly slotLeaseMs: number;
  /** Maximum time in which a node starts a browser. */
  readonly creationDeadlineMs: number;
  /** Lease of a creation, after which it counts as failed; longer than the deadline, or it would end live ones. */
  readonly creationLeaseMs: number;
  /** Default timeout of an operation, beside the time that it takes by itself. */
  readonly operationTimeoutMs: number;
  /** Grace beyond an operation's timeout before the browser counts as silent. */
  readonly silenceGraceMs: number;
  /** Lifetime on tiers whose sessions expire. */
  readonly freeSessionMs: number;
  /** Lease of a node's save of an ended session's profile. */
  readonly saveLeaseMs: number;
  /** Maximum wait of a creation for a profile that is being saved. */
  readonly profileWaitMs: number;
}

export interface SessionPorts extends CommandPorts {
  readonly fleet: Fleet;
  readonly pause: Pause;
  readonly proxies: Pick<ProxyCommands, 'open' | 'probe'>;
  readonly archetypes: ArchetypeCatalogue;
  readonly limits: SessionLimits;
  readonly logger: Logger;
}

/** A session that exists and belongs to the caller's account. */
export interface OwnedSession {
  readonly id: SessionId;
  readonly accountId: AccountId;
}
