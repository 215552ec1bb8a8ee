import type { WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import { refuse } from '../../contracts/problems.ts';
import type {
  CancelDelivery,
  RecordAttempt,
  RequeueDelivery,
  ScheduleAttempted,
  ScheduleDelivery,
  WebhookDeliveryCommand,
} from './commands.ts';
import { evolve } from './evolve.ts';
import { isOpen, type OpenDelivery, type WebhookDelivery } from './state.ts';

type Decision = readonly WebhookDeliveryEvent[];

export function decide(command: WebhookDeliveryCommand, state: WebhookDelivery): Decision {
  switch (command.type) {
    case 'ScheduleDelivery':
      return schedule(state, command);
    case 'ScheduleAttempted':
      return scheduleAttempted(state, command);
    case 'RecordAttempt':
      return recordAttempt(state, command);
    case 'CancelDelivery':
      return cancel(state, command);
    case 'RequeueDelivery':
      return requeue(state, command);
  }
}

/** The first attempt is due at once. The same delivery again is nothing new: its id says what it is of. */
function schedule(state: WebhookDelivery, { type: _, ...delivery }: ScheduleDelivery): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'DeliveryScheduled', data: { ...delivery, dueAt: delivery.at } }];
}

/** Of a delivery that somebody else recorded meanwhile, only the attempt is new, if that. */
function scheduleAttempted(
  state: WebhookDelivery,
  { schedule: delivery, attempt }: ScheduleAttempted,
): Decision {
  const scheduled = schedule(state, delivery);
  return [...scheduled, ...recordAttempt(scheduled.reduce(evolve, state), attempt)];
}

/** Of two who made the same attempt, the first to say so is recorded; what comes after the end changes nothing. */
function recordAttempt(state: WebhookDelivery, command: RecordAttempt): Decision {
  if (!isOpen(state) || command.attempt !== state.attempts + 1) return [];
  const { deliveryId, webhookId, accountId } = state;
  const { attempt, result, timings, startedAt, at } = command;
  const made = { deliveryId, webhookId, accountId, attempt, timings, startedAt, at };
  if (result.outcome === 'succeeded') {
    const { responseStatus } = result;
    return [{ type: 'DeliverySucceeded', data: { ...made, responseStatus } }];
  }
  const { responseStatus, error } = result;
  const nextAttemptAt = nextAttempt(state, command);
  const failed: WebhookDeliveryEvent = {
    type: 'DeliveryAttemptFailed',
    data: { ...made, responseStatus, error, nextAttemptAt },
  };
  if (nextAttemptAt !== null) return [failed];
  const letter = { deliveryId, webhookId, accountId, attempts: attempt, at };
  return [failed, { type: 'DeliveryDeadLettered', data: letter }];
}

/** Never earlier than the backoff says, counted from the end of the attempt. */
function nextAttempt(
  { attemptsBefore }: OpenDelivery,
  { attempt, backoffMs, jitter, at }: RecordAttempt,
): string | null {
  const wait = backoffMs[attempt - attemptsBefore - 1];
  if (wait === undefined) return null;
  return new Date(Date.parse(at) + Math.ceil(wait * (1 + Math.max(0, jitter)))).toISOString();
}

function cancel(state: WebhookDelivery, { reason, at }: CancelDelivery): Decision {
  if (!isOpen(state)) return [];
  const { deliveryId, webhookId, accountId } = state;
  return [{ type: 'DeliveryCancelled', data: { deliveryId, webhookId, accountId, reason, at } }];
}

/** Only a dead letter: anything else is on its way still, or has ended well, and can be replayed. */
function requeue(state: WebhookDelivery, { at }: RequeueDelivery): Decision {
  switch (state.status) {
    case 'none':
      throw refuse('not-found');
    case 'pending':
    case 'retrying':
      return [];
    case 'delivered':
    case 'cancelled':
      throw refuse('conflict', `The delivery is ${state.status}: replay it to send its event again.`);
    case 'dead_letter': {
      const { deliveryId, webhookId, accountId } = state;
      return [{ type: 'DeliveryRequeued', data: { deliveryId, webhookId, accountId, dueAt: at, at } }];
    }
  }
}
