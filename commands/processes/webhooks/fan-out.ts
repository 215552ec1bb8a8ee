import {
  webhookDeliveryEvents,
  type WebhookDeliveryEvent,
} from '../../../contracts/events/webhook-delivery.ts';
import {
  accountWebhooksEvents,
  webhookEndpointEvents,
  type WebhookEndpointEvent,
} from '../../../contracts/events/webhook-endpoint.ts';
import { uuidOf, type WebhookId } from '../../../contracts/ids.ts';
import { isOpen, webhookDelivery } from '../../../domain/webhook-delivery/index.ts';
import type { RecordedEvent } from '../../../infra/event-store/types.ts';
import { reactionCause } from '../../causes.ts';
import { wakeUpIdOf } from '../../deliveries/wake-up-id.ts';
import { isKnown } from '../../recording.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import type { ProcessManager } from '../process-manager.ts';
import { announcedCategories, announcementOf, type Announcement } from './announcement.ts';
import { scheduleDeliveries, type SchedulingPorts, type Trigger } from './scheduling.ts';

export interface FanOutPorts extends SchedulingPorts {
  readonly subscriptions: Subscriptions;
}

const name = 'webhook-fan-out';

/**
 * Sends each announced event to every endpoint of its account that was subscribed to it, and active, at the event's own
 * place in the log. What becomes of an endpoint after that is for its attempts to find out.
 */
export const webhookFanOut = (ports: FanOutPorts): ProcessManager => ({
  name,
  categories: [...announcedCategories, accountWebhooksEvents.name, webhookDeliveryEvents.name],
  begin: () => ports.subscriptions.forget(),
  handle: (event) => {
    ports.subscriptions.heard(event);
    return event.category === webhookDeliveryEvents.name ? wakeUp(ports, event) : announce(ports, event);
  },
});

async function announce(ports: FanOutPorts, event: RecordedEvent): Promise<void> {
  const announcement = announcementOf(event);
  if (announcement === undefined) return;
  const { envelope, accountId } = announcement;
  const { webhookIds, trigger } = await recipients(ports, event, announcement);
  const dispatches = webhookIds.map((webhookId) => ({ envelope, webhookId }));
  await scheduleDeliveries(ports, accountId, dispatches, trigger, reactionCause(name, event));
}

interface Recipients {
  readonly webhookIds: readonly WebhookId[];
  readonly trigger: Trigger;
}

const onEvent: Trigger = { kind: 'event', of: 'event', replayId: null };

/** A test's ping goes to the endpoint that is tested, whatever that subscribes to. */
async function recipients(
  { subscriptions }: FanOutPorts,
  event: RecordedEvent,
  { envelope: { type }, accountId }: Announcement,
): Promise<Recipients> {
  if (type !== 'test.ping') {
    return { webhookIds: await subscriptions.to(accountId, type, event.position), trigger: onEvent };
  }
  const test = isKnown<WebhookEndpointEvent>(webhookEndpointEvents, event) ? event : undefined;
  if (test?.type !== 'WebhookTestRequested') return { webhookIds: [], trigger: onEvent };
  const { webhookId, testId } = test.data;
  return { webhookIds: [webhookId], trigger: { kind: 'test', of: `test ${testId}`, replayId: null } };
}

/** What somebody's request scheduled. The managers wake up what they schedule themselves. */
async function wakeUp({ runner, wake }: FanOutPorts, event: RecordedEvent): Promise<void> {
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
