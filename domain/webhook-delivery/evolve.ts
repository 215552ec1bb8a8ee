import type { WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import type { ClosedDelivery, WebhookDelivery } from './state.ts';

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
export function evolve(state: WebhookDelivery, event: WebhookDeliveryEvent): WebhookDelivery {
  switch (state.status) {
    case 'none':
      return event.type === 'DeliveryScheduled' ? scheduled(event.data) : state;
    case 'pending':
    case 'retrying':
      return advance(state, event);
    case 'dead_letter':
      return event.type === 'DeliveryRequeued' ? requeued(state, event.data.dueAt) : state;
    case 'delivered':
    case 'cancelled':
      return state;
  }
}

type DataOf<Type extends WebhookDeliveryEvent['type']> = Extract<
  WebhookDeliveryEvent,
  { type: Type }
>['data'];
type Open = Extract<WebhookDelivery, { dueAt: string }>;

/**
 * For everybody but who makes the first attempt, that is due when it must have ended. Fields are named one by one: what a
 * rest pattern takes is a twentieth of a delivery.
 */
const scheduled = (data: DataOf<'DeliveryScheduled'>): WebhookDelivery => ({
  deliveryId: data.deliveryId,
  webhookId: data.webhookId,
  accountId: data.accountId,
  eventId: data.eventId,
  eventType: data.eventType,
  body: data.body,
  trigger: data.trigger,
  replayOf: data.replayOf,
  replayId: data.replayId,
  status: 'pending',
  attempts: 0,
  attemptsBefore: 0,
  dueAt: data.underWayUntil ?? data.dueAt,
  createdAt: data.at,
});

function advance(state: Open, event: WebhookDeliveryEvent): WebhookDelivery {
  const { dueAt, ...facts } = state;
  switch (event.type) {
    case 'DeliveryScheduled':
    case 'DeliveryRequeued':
      return state;
    case 'DeliverySucceeded':
      return { ...facts, status: 'delivered', attempts: event.data.attempt };
    case 'DeliveryAttemptFailed': {
      const { attempt, nextAttemptAt } = event.data;
      return { ...facts, status: 'retrying', attempts: attempt, dueAt: nextAttemptAt ?? dueAt };
    }
    case 'DeliveryDeadLettered':
      return { ...facts, status: 'dead_letter' };
    case 'DeliveryCancelled':
      return { ...facts, status: 'cancelled' };
  }
}

const requeued = (state: ClosedDelivery, dueAt: string): WebhookDelivery => ({
  ...state,
  status: 'pending',
  attemptsBefore: state.attempts,
  dueAt,
});
