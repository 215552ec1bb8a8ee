import type { Logger } from 'pino';
import type { AttemptError, AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import type { AttemptOutcome } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { After, Pause } from '../../infra/platform/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** The request of an attempt. */
export interface SendOrder {
  readonly url: string;
  readonly body: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly secrets: readonly string[];
}

/** An attempt, for metrics. */
export interface AttemptSeen {
  readonly outcome: 'succeeded' | 'failed';
  readonly error: AttemptError | null;
  readonly responseStatus: number | null;
  readonly milliseconds: number;
  /** From the event until the first attempt to send it; null for any other attempt. */
  readonly sinceEventMs: number | null;
}

export interface DeliveryPorts extends CommandPorts {
  /** Milliseconds that only ever go forward. */
  readonly now: () => number;
  readonly pause: Pause;
  readonly after: After;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A new uuid for each attempt, to distinguish two concurrent ones. */
  readonly newCommandId: () => string;
  /** Never rejects because of the receiver, and settles within `attemptLimitMs`. */
  readonly send: (
    order: SendOrder,
  ) => Promise<{ readonly result: AttemptOutcome; readonly timings: AttemptTimings }>;
  readonly vault: Pick<Vault, 'open'>;
  /** The vault's field of a secret. */
  readonly secretField: (secretId: string) => string;
  readonly wakeUps: Pick<WakeUps, 'schedule' | 'hasten'>;
  /** Milliseconds to wait after a first, second, … failed attempt. */
  readonly backoffMs: readonly number[];
  /** The most by which such a wait is longer, as a share of it. */
  readonly jitter: number;
  /** Attempts at once to one endpoint that answers. */
  readonly slotsPerEndpoint: number;
  /** First attempts at once, to all endpoints together, and as many more that have outlasted the moment. */
  readonly attemptsAtOnce: number;
  /** Time limit of an attempt, in milliseconds. */
  readonly attemptLimitMs: number;
  readonly onAttempt?: ((seen: AttemptSeen) => void) | undefined;
  /** Called each time that the secrets of an endpoint could not be opened. */
  readonly onUnopenable?: (() => void) | undefined;
  readonly logger: Logger;
}
