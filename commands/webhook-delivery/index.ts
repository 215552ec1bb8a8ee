import type { WebhookDeliveryId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Again, WakeUps } from '../../infra/queue/types.ts';
import { FirstAttempts, makeAttempt, type Attempting } from './attempt.ts';
import type { DeliveryPorts } from './ports.ts';
import { createReceivers } from './receivers.ts';
import { parseWakeUpId } from './recording.ts';
import { Slots } from './slots.ts';

export { createCancelling } from './attempt.ts';
export type { AttemptSeen, DeliveryPorts } from './ports.ts';
export { schedulingWindowMs, wakeUpIdOf } from './recording.ts';

export interface Deliveries {
  readonly first: FirstAttempts;
  /**
   * Takes the events of endpoints in the order of the log, so that deliveries use a change at once; without it, a
   * second later.
   */
  observe(event: RecordedEvent): void;
  /**
   * Makes this attempt unless it was made, is not due, or has no slot: then returns when to retry. Never rejects: an internal
   * failure is retried later.
   */
  attempt(deliveryId: WebhookDeliveryId, attempt: number): Promise<Again | undefined>;
}

/** Back-off after an internal failure in ms; up to twice this, with jitter. */
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
      // A wake-up whose lock expired is delivered twice.
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

/** Makes the attempts of wake-ups in this process, in any number of processes. */
export const handleDeliveryWakeUps = (wakeUps: Pick<WakeUps, 'onWakeUp'>, deliveries: Deliveries): void =>
  wakeUps.onWakeUp(async (id) => {
    const woken = parseWakeUpId(id);
    return woken && deliveries.attempt(woken.deliveryId, woken.attempt);
  });
