import {
  webhookDeliveryEvents,
  type AttemptError,
  type AttemptTimings,
  type WebhookDeliveryEvent,
} from '../../contracts/events/webhook-delivery.ts';
import { refuse } from '../../contracts/problems.ts';
import { decideBy, type Command, type DataOf, type Decider, type Rules } from '../kit/decider.ts';
import { after } from '../kit/time.ts';

type Scheduled = DataOf<WebhookDeliveryEvent, 'DeliveryScheduled'>;

interface DeliveryFacts extends Omit<Scheduled, 'dueAt' | 'underWayUntil' | 'at'> {
  /** Number of recorded attempts. */
  readonly attempts: number;
  /** Number of attempts in earlier rounds: a requeue begins a new round. */
  readonly attemptsBefore: number;
  readonly createdAt: string;
}

export interface OpenDelivery extends DeliveryFacts {
  /** `pending` before the first attempt of a round, `retrying` after it. */
  readonly status: 'pending' | 'retrying';
  /** The next attempt is made at this time or later. */
  readonly dueAt: string;
}

export interface ClosedDelivery extends DeliveryFacts {
  readonly status: 'delivered' | 'dead_letter' | 'cancelled';
  /** The attempt that was in flight when the delivery was cancelled has failed. */
  readonly hasFailedLate?: boolean;
}

export type WebhookDelivery = { readonly status: 'none' } | OpenDelivery | ClosedDelivery;

/** True if another attempt follows. */
export const isOpen = (delivery: WebhookDelivery): delivery is OpenDelivery =>
  delivery.status === 'pending' || delivery.status === 'retrying';

export type AttemptOutcome =
  | { readonly outcome: 'succeeded'; readonly responseStatus: number }
  | {
      readonly outcome: 'failed';
      readonly responseStatus: number | null;
      readonly error: AttemptError | null;
    };

/** `underWayUntil`: the latest end of a first attempt that is already running. */
export type ScheduleDelivery = Command<'ScheduleDelivery', Omit<Scheduled, 'dueAt'>>;
export type RecordAttempt = Command<
  'RecordAttempt',
  {
    /** Counted from 1. */
    attempt: number;
    result: AttemptOutcome;
    timings: AttemptTimings;
    startedAt: string;
    /** Milliseconds from each failed attempt to the next one. The attempt after the last wait is the last. */
    backoffMs: readonly number[];
    /** Lengthens the next wait by this share of it; a negative value counts as 0. */
    jitter: number;
  }
>;
/** Records a delivery and its first attempt, made before either was recorded, in one append. */
export interface ScheduleAttempted {
  readonly type: 'ScheduleAttempted';
  readonly schedule: ScheduleDelivery;
  readonly attempt: RecordAttempt;
}
export type CancelDelivery = Command<
  'CancelDelivery',
  { reason: 'webhook_deleted' | 'webhook_disabled' | 'account_erased' }
>;
/** Another round of attempts for a dead letter. */
export type RequeueDelivery = Command<'RequeueDelivery'>;
export type WebhookDeliveryCommand =
  | ScheduleDelivery
  | ScheduleAttempted
  | RecordAttempt
  | CancelDelivery
  | RequeueDelivery;

type Decision = readonly WebhookDeliveryEvent[];

const rules: Rules<WebhookDelivery, WebhookDeliveryCommand, WebhookDeliveryEvent> = {
  ScheduleDelivery: schedule,
  /** If another process has recorded the delivery meanwhile, only an unrecorded attempt is added. */
  ScheduleAttempted(state, { schedule: delivery, attempt }) {
    const scheduled = schedule(state, delivery);
    return [...scheduled, ...recordAttempt(scheduled.reduce(evolve, state), attempt)];
  },
  RecordAttempt: recordAttempt,
  CancelDelivery(state, { reason, at }) {
    return isOpen(state) ? [{ type: 'DeliveryCancelled', data: { ...idsOf(state), reason, at } }] : [];
  },
  RequeueDelivery(state, { at }) {
    switch (state.status) {
      case 'none':
        throw refuse('not-found');
      case 'pending':
      case 'retrying':
        return [];
      case 'delivered':
      case 'cancelled':
        throw refuse('conflict', `The delivery is ${state.status}: replay it to send its event again.`);
      case 'dead_letter':
        return [{ type: 'DeliveryRequeued', data: { ...idsOf(state), dueAt: at, at } }];
    }
  },
};

/**
 * The delivery of one event to one endpoint.
 *
 * | state             | event                 | next        |
 * |-------------------|-----------------------|-------------|
 * | none              | DeliveryScheduled     | pending     |
 * | pending, retrying | DeliverySucceeded     | delivered   |
 * | pending, retrying | DeliveryAttemptFailed | retrying    |
 * | retrying          | DeliveryDeadLettered  | dead_letter |
 * | pending, retrying | DeliveryCancelled     | cancelled   |
 * | dead_letter       | DeliveryRequeued      | pending     |
 * | cancelled         | DeliverySucceeded     | delivered   |
 * | cancelled         | DeliveryAttemptFailed | cancelled   |
 *
 * - Attempts are recorded in order and once each: of two processes that made the same attempt, the first to append wins.
 * - A cancelled delivery takes the outcome of one more attempt: the one that was in flight when it was cancelled.
 * - Only a dead letter can be opened again; a delivered or cancelled event is sent again as a new delivery (a replay).
 */
export const webhookDelivery: Decider<WebhookDelivery, WebhookDeliveryCommand, WebhookDeliveryEvent> = {
  category: webhookDeliveryEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
};

/** The first attempt is due at once. Scheduling again does nothing: the id derives from event, endpoint and trigger. */
function schedule(state: WebhookDelivery, { type: _, ...delivery }: ScheduleDelivery): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'DeliveryScheduled', data: { ...delivery, dueAt: delivery.at } }];
}

function recordAttempt(state: WebhookDelivery, command: RecordAttempt): Decision {
  if (!takesOutcome(state) || command.attempt !== state.attempts + 1) return [];
  const { attempt, result, timings, startedAt, at } = command;
  const ids = idsOf(state);
  const made = { ...ids, attempt, timings, startedAt, at };
  if (result.outcome === 'succeeded') {
    const { responseStatus } = result;
    return [{ type: 'DeliverySucceeded', data: { ...made, responseStatus } }];
  }
  const { responseStatus, error } = result;
  const nextAttemptAt = isOpen(state) ? nextAttempt(state, command) : null;
  const data = { ...made, responseStatus, error, nextAttemptAt };
  const failed: WebhookDeliveryEvent = { type: 'DeliveryAttemptFailed', data };
  if (nextAttemptAt !== null || !isOpen(state)) return [failed];
  return [failed, { type: 'DeliveryDeadLettered', data: { ...ids, attempts: attempt, at } }];
}

/** True while an attempt may be in flight. */
const takesOutcome = (state: WebhookDelivery): state is OpenDelivery | ClosedDelivery =>
  isOpen(state) || (state.status === 'cancelled' && state.hasFailedLate !== true);

/** The ids in every event of a delivery. */
const idsOf = ({ deliveryId, webhookId, accountId }: DeliveryFacts) => ({ deliveryId, webhookId, accountId });

/** Counted from the end of the attempt, never shorter than the back-off. */
function nextAttempt(
  { attemptsBefore }: OpenDelivery,
  { attempt, backoffMs, jitter, at }: RecordAttempt,
): string | null {
  const wait = backoffMs[attempt - attemptsBefore - 1];
  if (wait === undefined) return null;
  return after(at, Math.ceil(wait * (1 + Math.max(0, jitter))));
}

function evolve(state: WebhookDelivery, event: WebhookDeliveryEvent): WebhookDelivery {
  switch (state.status) {
    case 'none':
      return event.type === 'DeliveryScheduled' ? scheduled(event.data) : state;
    case 'pending':
    case 'retrying':
      return advance(state, event);
    case 'dead_letter':
      return event.type === 'DeliveryRequeued' ? requeued(state, event.data.dueAt) : state;
    case 'cancelled':
      return attemptedLate(state, event);
    case 'delivered':
      return state;
  }
}

/**
 * The state of a scheduled delivery. While its first attempt runs, it is due for other processes only after the attempt's time
 * limit.
 */
const scheduled = (data: Scheduled): WebhookDelivery => ({
  // Listed one by one: a rest pattern would take a twentieth of a delivery's time.
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

function advance(state: OpenDelivery, event: WebhookDeliveryEvent): WebhookDelivery {
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

/** The state after the outcome of an attempt that was in flight when the delivery was cancelled. */
function attemptedLate(state: ClosedDelivery, { type, data }: WebhookDeliveryEvent): WebhookDelivery {
  if (type === 'DeliverySucceeded') return { ...state, status: 'delivered', attempts: data.attempt };
  if (type === 'DeliveryAttemptFailed') return { ...state, attempts: data.attempt, hasFailedLate: true };
  return state;
}

const requeued = (state: ClosedDelivery, dueAt: string): WebhookDelivery => ({
  ...state,
  status: 'pending',
  attemptsBefore: state.attempts,
  dueAt,
});
