import type { Logger } from 'pino';
import type { AttemptError, AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import type { AttemptOutcome } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { After, Pause } from '../../infra/platform/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { WebhookMessage } from '../../infra/webhooks/sender.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** An attempt, for metrics. */
export interface AttemptSeen {
  readonly outcome: 'succeeded' | 'failed';
  readonly error: AttemptError | null;
  readonly responseStatus: number | null;
  readonly milliseconds: number;
  /** Time from the event until its first attempt; null for any other attempt. */
  readonly sinceEventMs: number | null;
}

export interface DeliveryPorts extends CommandPorts {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly pause: Pause;
  readonly after: After;
  /** In [0, 1). */
  readonly random: () => number;
  /** A new uuid for each attempt, to distinguish two concurrent ones. */
  readonly newCommandId: () => string;
  /** Never rejects because of the receiver, and settles within `attemptLimitMs`. */
  readonly send: (
    message: WebhookMessage,
  ) => Promise<{ readonly result: AttemptOutcome; readonly timings: AttemptTimings }>;
  readonly vault: Pick<Vault, 'open'>;
  /** The vault's field of a secret. */
  readonly secretField: (secretId: string) => string;
  readonly wakeUps: Pick<WakeUps, 'schedule' | 'hasten'>;
  /** Waits after the first, second, … failed attempt, in milliseconds. */
  readonly backoffMs: readonly number[];
  /** Maximum jitter, as a share of such a wait. */
  readonly jitter: number;
  /** Concurrent attempts to one responsive endpoint. */
  readonly slotsPerEndpoint: number;
  /** Concurrent first attempts to all endpoints together, and as many more that exceed `quickMs`. */
  readonly attemptsAtOnce: number;
  /** Time limit of an attempt, in milliseconds. */
  readonly attemptLimitMs: number;
  readonly onAttempt?: ((seen: AttemptSeen) => void) | undefined;
  /** Called whenever the secrets of an endpoint could not be opened. */
  readonly onUnopenable?: (() => void) | undefined;
  readonly logger: Logger;
}
