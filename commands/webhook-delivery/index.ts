import type { Logger } from 'pino';
import type { AttemptError, AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import type { WebhookDeliveryId } from '../../contracts/ids.ts';
import type { AttemptOutcome } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { After, Pause } from '../../infra/platform/clock.ts';
import type { Again, WakeUps } from '../../infra/queue/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { FirstAttempts, makeAttempt, type Attempting } from './attempt.ts';
import { createReceivers } from './receivers.ts';
import { parseWakeUpId } from './recording.ts';
import { Slots } from './slots.ts';

export { createCancelling } from './attempt.ts';
export { schedulingWindowMs, wakeUpIdOf } from './recording.ts';

/** What an attempt sends. */
export interface SendOrder {
  readonly url: string;
  readonly body: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly secrets: readonly string[];
}

/** One attempt that was made, for those who count. */
export interface AttemptSeen {
  readonly outcome: 'succeeded' | 'failed';
  readonly error: AttemptError | null;
  readonly responseStatus: number | null;
  readonly milliseconds: number;
}

export interface DeliveryPorts extends CommandPorts {
  /** Milliseconds that only ever go forward. */
  readonly now: () => number;
  readonly pause: Pause;
  readonly after: After;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A fresh uuid for each attempt: two that were made at once are told apart by it. */
  readonly newCommandId: () => string;
  /** Never rejects for what the receiver does, and ends within `attemptLimitMs`. */
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
  /** What an attempt may take, milliseconds. */
  readonly attemptLimitMs: number;
  readonly onAttempt?: ((seen: AttemptSeen) => void) | undefined;
  /** Called each time that the secrets of an endpoint could not be opened. */
  readonly onUnopenable?: (() => void) | undefined;
  readonly logger: Logger;
}

export interface Deliveries {
  readonly first: FirstAttempts;
  /** With an endpoint's events in the order of the log, deliveries go by them from then on; else a second later. */
  observe(event: RecordedEvent): void;
  /**
   * Makes this attempt of the delivery unless it was made, is not due, or its turn has not come: then it says when to ask
   * again. Never rejects: what failed on our side is asked for again in a while.
   */
  attempt(deliveryId: WebhookDeliveryId, attempt: number): Promise<Again | undefined>;
}

/** When to try again what failed on our side, ms; up to twice this, so that not all of them come at once. */
const afterFailureMs = 5000;

export function createDeliveries(ports: DeliveryPorts): Deliveries {
  const { clock, random, wakeUps, logger } = ports;
  const call = (wakeUpId: string): void => void wakeUps.hasten(wakeUpId).catch(() => undefined);
  const attempting: Attempting = {
    ...ports,
    receivers: createReceivers(ports),
    slots: new Slots({ ...ports, slots: ports.slotsPerEndpoint, call }),
  };
  const underWay = new Set<WebhookDeliveryId>();
  const later = (): Again => ({
    again: new Date(clock.now().getTime() + afterFailureMs * (1 + random())),
  });
  return {
    first: new FirstAttempts(attempting, underWay),
    observe: (event) => attempting.receivers.observe(event),
    attempt: async (deliveryId, attempt) => {
      // A wake-up comes twice when its lock ran out under it.
      if (underWay.has(deliveryId)) return later();
      underWay.add(deliveryId);
      try {
        return await makeAttempt(attempting, deliveryId, attempt);
      } catch (error) {
        logger.warn({ err: error, delivery: deliveryId, attempt }, 'An attempt failed on our side.');
        return later();
      } finally {
        underWay.delete(deliveryId);
      }
    },
  };
}

/** Makes the attempts that wake-ups are for, in this process; any number of processes may. */
export const handleDeliveryWakeUps = (wakeUps: Pick<WakeUps, 'onWakeUp'>, deliveries: Deliveries): void =>
  wakeUps.onWakeUp(async (id) => {
    const woken = parseWakeUpId(id);
    return woken && deliveries.attempt(woken.deliveryId, woken.attempt);
  });
