import type { AccountId, WebhookDeliveryId, WebhookId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { SealedSecret } from './state.ts';

/** `at` is the time of deciding, ISO 8601. */
export type WebhookEndpointCommand =
  | RegisterWebhook
  | ChangeWebhook
  | RotateSecret
  | RequestTest
  | CountOutcomes
  | DeleteWebhook
  | NoticeSecretAge
  | NoticeGraceEnding;

export interface RegisterWebhook {
  readonly type: 'RegisterWebhook';
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly url: string;
  readonly events: readonly SubscribableEventType[];
  readonly description: string | null;
  readonly secret: SealedSecret;
  readonly at: string;
}

export interface ChangeWebhook {
  readonly type: 'ChangeWebhook';
  /** What is undefined stays. */
  readonly events: readonly SubscribableEventType[] | undefined;
  readonly description: string | null | undefined;
  readonly at: string;
}

export interface RotateSecret {
  readonly type: 'RotateSecret';
  readonly secret: SealedSecret;
  readonly graceEndsAt: string;
  readonly graceNoticeAt: string;
  readonly at: string;
}

export interface RequestTest {
  readonly type: 'RequestTest';
  /** Fixed once per request: the same one again is nothing new. */
  readonly testId: string;
  readonly triggeredBy: AccountId;
  readonly at: string;
}

/** How an attempt ended. */
export interface Outcome {
  readonly deliveryId: WebhookDeliveryId;
  readonly attempt: number;
  readonly succeeded: boolean;
  /** Its commit position. */
  readonly position: bigint;
}

/** Outcomes that have not been told, or are told again. */
export interface CountOutcomes {
  readonly type: 'CountOutcomes';
  readonly outcomes: readonly Outcome[];
  /** Some that stand before the last of them in the log are still to be told: a success has to be remembered for those. */
  readonly isIncomplete: boolean;
  /** So many failures in a row disable the endpoint. */
  readonly disableAfter: number;
  readonly at: string;
}

export interface DeleteWebhook {
  readonly type: 'DeleteWebhook';
  readonly at: string;
}

export interface NoticeSecretAge {
  readonly type: 'NoticeSecretAge';
  readonly at: string;
}

export interface NoticeGraceEnding {
  readonly type: 'NoticeGraceEnding';
  readonly at: string;
}
