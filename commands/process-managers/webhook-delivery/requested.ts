import {
  webhookDeliveryEvents,
  type WebhookDeliveryEvent,
} from '../../../contracts/events/webhook-delivery.ts';
import { accountWebhooksEvents, webhookEndpointEvents } from '../../../contracts/events/webhook-endpoint.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { isOpen, webhookDelivery } from '../../../domain/webhook-delivery/webhook-delivery.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { wakeUpIdOf } from '../../webhook-delivery/recording.ts';
import { isKnown } from '../../engine/recording.ts';
import type { Subscriptions } from '../../webhook-endpoint/subscriptions.ts';
import type { ProcessManager } from '../engine/process-manager.ts';
import type { SchedulingPorts } from './scheduling.ts';

export interface RequestedPorts extends Pick<SchedulingPorts, 'runner' | 'wake'> {
  readonly subscriptions: Subscriptions;
}

/**
 * Wakes up what somebody's request scheduled; the managers wake up what they schedule themselves. It also hears for the
 * managers of this host who subscribes to what.
 */
export const requestedDeliveries = (ports: RequestedPorts): ProcessManager => ({
  name: 'requested-deliveries',
  categories: [webhookDeliveryEvents.name, webhookEndpointEvents.name, accountWebhooksEvents.name],
  begin: () => ports.subscriptions.forget(),
  handle: (event) => {
    ports.subscriptions.heard(event);
    return wakeUp(ports, event);
  },
});

async function wakeUp({ runner, wake }: RequestedPorts, event: RecordedEvent): Promise<void> {
  if (event.category !== webhookDeliveryEvents.name) return;
  if (!isKnown<WebhookDeliveryEvent>(webhookDeliveryEvents, event)) return;
  if (event.type === 'DeliveryScheduled') {
    const { deliveryId, trigger, replayId, dueAt } = event.data;
    const isOnRequest = trigger === 'replay' && replayId === null;
    if (isOnRequest) wake({ id: wakeUpIdOf(deliveryId, 1), dueAt: new Date(dueAt) });
  }
  if (event.type === 'DeliveryRequeued') {
    const { deliveryId } = event.data;
    const { state } = await runner.load(webhookDelivery, uuidOf(deliveryId));
    if (isOpen(state)) wake({ id: wakeUpIdOf(deliveryId, state.attempts + 1), dueAt: new Date(state.dueAt) });
  }
}
