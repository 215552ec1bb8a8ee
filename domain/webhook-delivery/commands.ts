import type { AttemptError, AttemptTimings } from '../../contracts/events/webhook-delivery.ts';
import type { AccountId, WebhookDeliveryId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import type { WebhookEventType } from '../../contracts/webhooks/event-types.ts';

/** `at` is the time of deciding, ISO 8601. */
export type WebhookDeliveryCommand =
  ScheduleDelivery | ScheduleAttempted | RecordAttempt | CancelDelivery | RequeueDelivery;

export interface ScheduleDelivery {
  readonly type: 'ScheduleDelivery';
  readonly deliveryId: WebhookDeliveryId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly body: string;
  readonly trigger: 'event' | 'replay' | 'test';
  readonly replayOf: WebhookDeliveryId | null;
  readonly replayId: WebhookReplayId | null;
  /** Where the first attempt is being made already: when it must have ended. */
  readonly underWayUntil?: string;
  readonly at: string;
}

/** The first attempt was made before the delivery was recorded: both are now. */
export interface ScheduleAttempted {
  readonly type: 'ScheduleAttempted';
  readonly schedule: ScheduleDelivery;
  readonly attempt: RecordAttempt;
}

export type AttemptOutcome =
  | { readonly outcome: 'succeeded'; readonly responseStatus: number }
  | {
      readonly outcome: 'failed';
      readonly responseStatus: number | null;
      readonly error: AttemptError | null;
    };

/** An attempt was made, and this is how it ended. */
export interface RecordAttempt {
  readonly type: 'RecordAttempt';
  /** The first one is 1. */
  readonly attempt: number;
  readonly result: AttemptOutcome;
  readonly timings: AttemptTimings;
  readonly startedAt: string;
  /** Milliseconds to wait after a first, second, … failed attempt; after as many as there are, one more is the last. */
  readonly backoffMs: readonly number[];
  /** How much longer than that the next wait is to be, as a share of it: never less. */
  readonly jitter: number;
  readonly at: string;
}

export interface CancelDelivery {
  readonly type: 'CancelDelivery';
  readonly reason: 'webhook_deleted' | 'webhook_disabled' | 'account_erased';
  readonly at: string;
}

/** Another round of attempts for one that has none left. */
export interface RequeueDelivery {
  readonly type: 'RequeueDelivery';
  readonly at: string;
}
