import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { envelopeIdOf } from '../webhooks/envelope.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';
import { category, type EventOf } from './catalogue.ts';

const webhookId = idSchema('webhook');
const auditTarget = (id: string) => ({ type: 'webhook', id });
const secretTimers = ['webhook_secret_age', 'webhook_grace_notice'] as const;
const accountId = idSchema('account');
const subscribed = Type.Array(oneOf(subscribableEventTypes));

/** A signing secret as it may be kept: sealed with the account's data key, and bound to this endpoint and secret. */
export const SealedSecret = closed({
  secretId: Type.String(),
  sealed: Type.String(),
  /** When its owner is reminded to rotate it. */
  remindAt: Timestamp,
});
export type SealedSecret = Static<typeof SealedSecret>;

/** Of the attempt that is counted, by the log: its outcome's commit position, in decimal digits. */
const position = Type.String({ pattern: '^[0-9]{1,20}$' });
const attempt = Type.Integer({ minimum: 1 });
const deliveryId = idSchema('webhookDelivery');

/**
 * `webhook_endpoint-<uuid>`: where an account wants its events, from registration to deletion or to the failure that
 * disables it for good. Its failed attempts are counted here, in the order of the log.
 */
export const webhookEndpointEvents = category(
  'webhook_endpoint',
  {
    WebhookRegistered: closed({
      webhookId,
      accountId,
      url: Type.String(),
      events: subscribed,
      description: nullable(Type.String()),
      secret: SealedSecret,
      at: Timestamp,
    }),
    /** What it subscribes to from here on; deliveries that are scheduled already stay. */
    WebhookChanged: closed({
      webhookId,
      events: subscribed,
      description: nullable(Type.String()),
      at: Timestamp,
    }),
    /** Both secrets sign until the grace ends. */
    WebhookSecretRotated: closed({
      webhookId,
      secret: SealedSecret,
      graceEndsAt: Timestamp,
      /** When its owner is told that the old secret is about to end. */
      graceNoticeAt: Timestamp,
      at: Timestamp,
    }),
    WebhookTestRequested: closed({
      webhookId,
      accountId,
      testId: Type.String(),
      /** Whoever asked: a team member's own account, else the owner's. */
      triggeredBy: accountId,
      at: Timestamp,
    }),
    WebhookFailureCounted: closed({
      webhookId,
      accountId,
      deliveryId,
      attempt,
      consecutive: Type.Integer({ minimum: 1 }),
      position,
      at: Timestamp,
    }),
    /** An attempt succeeded after others had failed, or before others that are still to be counted. */
    WebhookFailuresCleared: closed({
      webhookId,
      deliveryId,
      attempt,
      /** Failures in a row that stand behind it in the log and were counted before it; none when absent. */
      left: Type.Optional(Type.Integer({ minimum: 1 })),
      position,
      at: Timestamp,
    }),
    /** For good: nothing enables it again. */
    WebhookDisabled: closed({
      webhookId,
      accountId,
      consecutive: Type.Integer({ minimum: 1 }),
      at: Timestamp,
    }),
    WebhookDeleted: closed({ webhookId, accountId, at: Timestamp }),
    /** The secret has come to the age at which its owner is to be reminded. */
    WebhookSecretAged: closed({ webhookId, accountId, secretId: Type.String(), at: Timestamp }),
    /** The old secret of a rotation has come to its last day. */
    WebhookGraceEnding: closed({
      webhookId,
      accountId,
      secretId: Type.String(),
      graceEndsAt: Timestamp,
      at: Timestamp,
    }),
  },
  {
    audit: {
      WebhookRegistered: (data) => ({
        action: 'webhook.created',
        target: auditTarget(data.webhookId),
        payload: { url: data.url, events: data.events, description: data.description },
      }),
      WebhookChanged: (data) => ({
        action: 'webhook.updated',
        target: auditTarget(data.webhookId),
        payload: { events: data.events, description: data.description },
      }),
      WebhookSecretRotated: (data) => ({
        action: 'webhook.secret_rotated',
        target: auditTarget(data.webhookId),
        payload: { grace_ends_at: data.graceEndsAt },
      }),
      WebhookDeleted: (data) => ({
        action: 'webhook.deleted',
        target: auditTarget(data.webhookId),
        payload: {},
      }),
      WebhookDisabled: (data) => ({
        action: 'webhook.disabled',
        target: auditTarget(data.webhookId),
        payload: { consecutive_failures: data.consecutive },
        bySystem: true,
      }),
      WebhookTestRequested: (data, eventId) => ({
        action: 'webhook_delivery.replayed',
        target: auditTarget(data.webhookId),
        payload: { via: 'send_test_event', event_id: envelopeIdOf(eventId) },
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
      // The reminder keeps its id: the wake-up for the secret before comes too early for this one, which the sweep finds.
      WebhookSecretRotated: (data) => ({
        subject: data.webhookId,
        starts: { webhook_secret_age: data.secret.remindAt, webhook_grace_notice: data.graceNoticeAt },
      }),
      WebhookSecretAged: (data) => ({ subject: data.webhookId, ends: ['webhook_secret_age'] }),
      WebhookGraceEnding: (data) => ({ subject: data.webhookId, ends: ['webhook_grace_notice'] }),
      WebhookDisabled: (data) => ({ subject: data.webhookId, ends: secretTimers }),
      WebhookDeleted: (data) => ({ subject: data.webhookId, ends: secretTimers }),
    },
  },
);
export type WebhookEndpointEvent = EventOf<typeof webhookEndpointEvents>;

/** `account_webhooks-<account uuid>`: which endpoints hold a place under the account's cap. */
export const accountWebhooksEvents = category('account_webhooks', {
  WebhookAdmitted: closed({ accountId, webhookId, at: Timestamp }),
  WebhookDismissed: closed({ accountId, webhookId, at: Timestamp }),
});
export type AccountWebhooksEvent = EventOf<typeof accountWebhooksEvents>;
