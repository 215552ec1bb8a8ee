import type { AccountId, WebhookId, WebhookReplayId } from '../../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../../contracts/webhooks/envelope.ts';
import type { ScheduleDelivery } from '../../../domain/webhook-delivery/webhook-delivery.ts';
import { bodyOf, deliveryIdOf } from '../../../domain/webhook-event/webhook-event.ts';
import type { Clock } from '../../../infra/platform/clock.ts';
import type { WakeUp } from '../../../infra/queue/types.ts';
import { ownedContext, type CommandContext } from '../../engine/context.ts';
import { schedule } from '../../webhook-delivery/recording.ts';
import { wakeUpIdOf } from '../../webhook-delivery/recording.ts';
import { inBatches } from '../../engine/in-batches.ts';
import type { Runner } from '../../engine/runner.ts';

export interface SchedulingPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly wake: (wakeUp: WakeUp) => void;
}

/** Sends what is not recorded yet, and records it; false when it is to be scheduled instead. */
export type SendFirst = (delivery: ScheduleDelivery, cause: CommandContext) => Promise<boolean>;

/** An envelope on its way to an endpoint. */
export interface Dispatch {
  readonly envelope: WebhookEnvelope;
  readonly webhookId: WebhookId;
}

/** Why it is sent. `of` tells apart what sends the same event to the same endpoint. */
export interface Trigger {
  readonly kind: ScheduleDelivery['trigger'];
  readonly of: string;
  readonly replayId: WebhookReplayId | null;
}

const appendsAtOnce = 64;

/**
 * Schedules a delivery for each and has its first attempt woken up, unless that can be made before. Ids derive from what is
 * sent, to whom and why, so that doing it again stores nothing twice.
 */
export async function scheduleDeliveries(
  ports: SchedulingPorts,
  accountId: AccountId,
  dispatches: readonly Dispatch[],
  { kind: trigger, of, replayId }: Trigger,
  cause: CommandContext,
  sendFirst: SendFirst = () => Promise.resolve(false),
): Promise<void> {
  const owned = ownedContext(cause, accountId);
  await inBatches(dispatches, appendsAtOnce, async ({ envelope, webhookId }) => {
    const { id: eventId, type: eventType } = envelope;
    const deliveryId = deliveryIdOf(eventId, webhookId, of);
    const now = ports.clock.now();
    const delivery = {
      type: 'ScheduleDelivery',
      ...{ deliveryId, webhookId, accountId, eventId, eventType, body: bodyOf(envelope) },
      ...{ trigger, replayOf: null, replayId, at: now.toISOString() },
    } as const;
    if (await sendFirst(delivery, owned)) return;
    await schedule(ports, delivery, owned);
    ports.wake({ id: wakeUpIdOf(deliveryId, 1), dueAt: now });
  });
}
