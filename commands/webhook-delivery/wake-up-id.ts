import { parseId, toId, uuidOf, type WebhookDeliveryId } from '../../contracts/ids.ts';

/** The attempt of a delivery that a wake-up is for; the first attempt is 1. */
export interface WokenAttempt {
  readonly deliveryId: WebhookDeliveryId;
  readonly attempt: number;
}

/** One for each attempt, so that a queue which still holds the last one takes the next. */
export const wakeUpIdOf = (deliveryId: WebhookDeliveryId, attempt: number): string =>
  `${uuidOf(deliveryId)}-${attempt}`;

/** Undefined for what `wakeUpIdOf` did not make. */
export function parseWakeUpId(id: string): WokenAttempt | undefined {
  const [, uuid = '', attempt] = /^(.+)-([1-9]\d{0,8})$/.exec(id) ?? [];
  const deliveryId = parseId('webhookDelivery', toId('webhookDelivery', uuid));
  return deliveryId && { deliveryId, attempt: Number(attempt) };
}
