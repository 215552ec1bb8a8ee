import { uuidOf, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import {
  isOpen,
  webhookDelivery,
  type OpenDelivery,
  type ScheduleDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { Again } from '../../infra/queue/types.ts';
import type { DeliveryPorts } from './ports.ts';
import { createGone, type Address, type Receivers } from './receivers.ts';
import { cancel, record, wakeUpFor, type Made } from './recording.ts';
import type { Slot, Slots } from './slots.ts';
import { wakeUpIdOf } from './wake-up-id.ts';

export interface Attempting {
  readonly ports: DeliveryPorts;
  readonly receivers: Receivers;
  readonly slots: Slots;
}

/**
 * Makes one attempt, if it is to be made now. Wherever it is cut short, the delivery's stream says what is left to do: an
 * attempt that is not recorded is made again, one that is recorded only wants the next one woken up.
 */
export async function makeAttempt(
  attempting: Attempting,
  deliveryId: WebhookDeliveryId,
  attempt: number,
): Promise<Again | undefined> {
  const { ports, receivers, slots } = attempting;
  const wakeUpId = wakeUpIdOf(deliveryId, attempt);
  const early = slots.tooEarly(wakeUpId);
  if (early) return comeBack(ports, early.waitMs);
  const delivery = await openDelivery(ports, deliveryId);
  if (delivery?.attempts !== attempt - 1) {
    slots.forget(wakeUpId);
    // Whoever recorded this attempt may have ended before the next one was scheduled.
    if (delivery && delivery.attempts >= attempt)
      await wakeUpFor(ports, delivery, delivery.attempts + 1, delivery.dueAt);
    return undefined;
  }
  const receiver = await receivers.of(delivery.webhookId);
  if (!('url' in receiver)) {
    slots.forget(wakeUpId);
    if ('waitMs' in receiver) return comeBack(ports, receiver.waitMs);
    await cancel(ports, delivery, receiver.gone);
    return undefined;
  }
  const dueAt = new Date(delivery.dueAt);
  if (dueAt > ports.clock.now()) return { again: dueAt };
  const entry = await slots.enter(delivery.webhookId, wakeUpId);
  if ('waitMs' in entry) return comeBack(ports, entry.waitMs);
  const address = await asOfNow(receivers, delivery.webhookId, receiver);
  await record(ports, delivery, await sendIn(attempting, entry, address, delivery, attempt));
  return undefined;
}

/** What was known before the wait for a slot may be past: a secret may have been rotated. An end is the next one's matter. */
export async function asOfNow(receivers: Receivers, webhookId: WebhookId, before: Address): Promise<Address> {
  const now = await receivers.of(webhookId).catch(() => before);
  return 'url' in now ? now : before;
}

/** Makes the attempt, and gives the slot back. */
export async function sendIn(
  { ports }: Attempting,
  slot: Slot,
  receiver: Address,
  delivery: OpenDelivery | ScheduleDelivery,
  attempt: number,
): Promise<Made> {
  let hasSucceeded = false;
  try {
    const made = await send(ports, delivery, receiver, attempt);
    hasSucceeded = made.result.outcome === 'succeeded';
    return made;
  } finally {
    slot.end(hasSucceeded);
  }
}

const comeBack = ({ clock }: DeliveryPorts, waitMs: number): Again => ({
  again: new Date(clock.now().getTime() + waitMs),
});

async function openDelivery(
  { runner }: Pick<DeliveryPorts, 'runner'>,
  deliveryId: WebhookDeliveryId,
): Promise<OpenDelivery | undefined> {
  const { state } = await runner.load(webhookDelivery, uuidOf(deliveryId));
  return isOpen(state) ? state : undefined;
}

async function send(
  { send, clock, onAttempt }: DeliveryPorts,
  { body, eventId, eventType }: OpenDelivery | ScheduleDelivery,
  { url, secretsAt }: Address,
  attempt: number,
): Promise<Made> {
  const startedAt = clock.now();
  const { result, timings } = await send({ url, body, eventId, eventType, secrets: secretsAt(startedAt) });
  onAttempt?.({
    outcome: result.outcome,
    error: result.outcome === 'failed' ? result.error : null,
    responseStatus: result.responseStatus,
    milliseconds: timings.totalMs,
  });
  return { attempt, startedAt: startedAt.toISOString(), result, timings };
}

/** Cancels deliveries whose endpoint is deleted or disabled, due or not; anything else it leaves as it is. */
export function createCancelling(
  ports: Pick<DeliveryPorts, 'runner' | 'clock' | 'now'>,
): (deliveryId: WebhookDeliveryId) => Promise<void> {
  const goneOf = createGone(ports);
  return async (deliveryId) => {
    const delivery = await openDelivery(ports, deliveryId);
    if (delivery === undefined) return;
    const gone = await goneOf(delivery.webhookId);
    if (gone !== undefined) await cancel(ports, delivery, gone);
  };
}
