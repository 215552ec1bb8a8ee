import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { envelopeIdOf } from '../webhooks/envelope.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';
import { category, entryOn, timersOn, type EventOf } from './catalogue.ts';

const webhookId = idSchema('webhook');
const entry = entryOn('webhook');
const timer = timersOn('webhookId');
const accountId = idSchema('account');
const of = { webhookId, accountId, at: Timestamp };
/** Fields that the owner may change. */
const settable = {
  events: Type.Array(oneOf(subscribableEventTypes)),
  description: nullable(Type.String()),
};

/** A signing secret as it is stored: sealed with the account's data key, and bound to this endpoint and secret. */
export const SealedSecret = closed({
  secretId: Type.String(),
  sealed: Type.String(),
  /** When its owner is reminded to rotate it. */
  remindAt: Timestamp,
});
export type SealedSecret = Static<typeof SealedSecret>;

/** Commit position of the attempt's outcome event, as a decimal string. */
const position = Type.String({ pattern: '^[0-9]{1,20}$' });
const attempt = Type.Integer({ minimum: 1 });
const deliveryId = idSchema('webhookDelivery');
/** Consecutive failures. */
const consecutive = Type.Integer({ minimum: 1 });

/**
 * `webhook_endpoint-<uuid>`: an address that receives events, from its registration until it is deleted or, after too many
 * consecutive failures, disabled permanently. Counts failures in the order of the log.
 */
export const webhookEndpointEvents = category(
  'webhook_endpoint',
  {
    WebhookRegistered: closed({ ...of, url: Type.String(), ...settable, secret: SealedSecret }),
    /** Applies to later events; scheduled deliveries stay. */
    WebhookChanged: closed({ webhookId, ...settable, at: Timestamp }),
    /** Both secrets sign until the grace ends. */
    WebhookSecretRotated: closed({
      webhookId,
      secret: SealedSecret,
      graceEndsAt: Timestamp,
      /** When the owner is notified that the old secret is about to end. */
      graceNoticeAt: Timestamp,
      at: Timestamp,
    }),
    WebhookTestRequested: closed({
      ...of,
      testId: Type.String(),
      /** Account of the requester: a team member's own, else the owner's. */
      triggeredBy: accountId,
    }),
    WebhookFailureCounted: closed({ ...of, deliveryId, attempt, consecutive, position }),
    /** An attempt succeeded after failures, or before failures that are not counted yet. */
    WebhookFailuresCleared: closed({
      webhookId,
      deliveryId,
      attempt,
      /** Failures after it in the log that were counted before it; absent if none. */
      left: Type.Optional(Type.Integer({ minimum: 1 })),
      position,
      at: Timestamp,
    }),
    /** Permanent. */
    WebhookDisabled: closed({ ...of, consecutive }),
    WebhookDeleted: closed(of),
    /** Reserved, but not registered in time. */
    WebhookWithdrawn: closed(of),
    /** The secret has reached the age at which its owner is reminded to rotate it. */
    WebhookSecretAged: closed({ ...of, secretId: Type.String() }),
    /** The grace period of a rotation's old secret is about to end. */
    WebhookGraceEnding: closed({ ...of, secretId: Type.String(), graceEndsAt: Timestamp }),
  },
  {
    personal: {
      WebhookRegistered: { url: 'https://erased.invalid/', description: null },
      WebhookChanged: { description: null },
    },
    audit: {
      WebhookRegistered: ({ webhookId: id, url, events, description }) =>
        entry('webhook.created', id, { url, events, description }),
      WebhookChanged: ({ webhookId: id, events, description }) =>
        entry('webhook.updated', id, { events, description }),
      WebhookSecretRotated: (data) =>
        entry('webhook.secret_rotated', data.webhookId, { grace_ends_at: data.graceEndsAt }),
      WebhookDeleted: (data) => entry('webhook.deleted', data.webhookId),
      WebhookDisabled: (data) => ({
        ...entry('webhook.disabled', data.webhookId, { consecutive_failures: data.consecutive }),
        bySystem: true,
      }),
      WebhookTestRequested: (data, eventId) =>
        entry('webhook_delivery.replayed', data.webhookId, {
          via: 'send_test_event',
          event_id: envelopeIdOf(eventId),
        }),
    },
    announced: {
      WebhookTestRequested: (data) => ({
        type: 'test.ping',
        created_at: data.at,
        data: {
          message: 'This is a test of your webhook endpoint.',
          endpoint_id: data.webhookId,
          triggered_by_account_id: data.triggeredBy,
        },
      }),
    },
    timers: {
      WebhookRegistered: (data) => ({
        subject: data.webhookId,
        starts: { webhook_secret_age: data.secret.remindAt },
      }),
      // The reminder keeps its id. A wake-up for the previous secret finds nothing due; the sweep finds the new due time.
      WebhookSecretRotated: (data) => ({
        subject: data.webhookId,
        starts: { webhook_secret_age: data.secret.remindAt, webhook_grace_notice: data.graceNoticeAt },
      }),
      WebhookSecretAged: timer.ends('webhook_secret_age'),
      WebhookGraceEnding: timer.ends('webhook_grace_notice'),
      WebhookDisabled: timer.ends('webhook_secret_age', 'webhook_grace_notice'),
      WebhookDeleted: timer.ends('webhook_secret_age', 'webhook_grace_notice'),
    },
  },
);
export type WebhookEndpointEvent = EventOf<typeof webhookEndpointEvents>;

/** `account_webhooks-<account uuid>`: the endpoints with a reservation on the account's quota. */
export const accountWebhooksEvents = category('account_webhooks', {
  WebhookAdmitted: closed(of),
  WebhookDismissed: closed(of),
});
export type AccountWebhooksEvent = EventOf<typeof accountWebhooksEvents>;
