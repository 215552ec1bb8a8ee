import { accountEvents } from '../../contracts/events/account.ts';
import { apiKeyEvents } from '../../contracts/events/api-key.ts';
import { sessionEvents } from '../../contracts/events/session.ts';
import { webhookDeliveryEvents } from '../../contracts/events/webhook-delivery.ts';
import { webhookEndpointEvents } from '../../contracts/events/webhook-endpoint.ts';
import { webhookReplayEvents } from '../../contracts/events/webhook-replay.ts';
import type { Operation } from '../../contracts/operations.ts';
import { envelopeIdOf } from '../../domain/webhook-event/index.ts';
import { handlersOf, type Handlers } from '../engine/handlers.ts';

/** What an event says in the audit log, before it is chained. */
export interface AuditedAction {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly payload: Readonly<Record<string, unknown>>;
  /** The service did this on its own, whoever's request it came out of. */
  readonly bySystem?: true;
}

const ofSession = (id: string) => ({ type: 'session', id });
const ofKey = (id: string) => ({ type: 'api_key', id });
const ofAccount = (id: string) => ({ type: 'account', id });
const ofWebhook = (id: string) => ({ type: 'webhook', id });
const ofDelivery = (id: string) => ({ type: 'webhook_delivery', id });

const operationActions: Record<Operation, string> = {
  navigate: 'session.navigated',
  interact: 'session.interacted',
  wait: 'session.waited',
  state_capture: 'session.state_read',
  capture: 'session.captured',
  extract: 'session.extracted',
  search: 'session.searched',
  login: 'session.logged_in',
};

/**
 * Event to audit entry. Each mutation a client is told about has exactly one event here, whatever else it appended: a
 * create is its durable reservation, an operation is its settling (or the session's error), a key rotation, which writes
 * two streams, is the event that carries both keys, and what is sent again is the request, not its deliveries. `null`: the event is a part of another entry.
 */
export const auditedActions: Handlers<AuditedAction | null> = {
  ...handlersOf(sessionEvents, {
    SessionRequested: ({ data }) => ({
      action: 'session.created',
      target: ofSession(data.sessionId),
      payload: { archetype: data.archetype, label: data.label },
    }),
    OperationSettled: ({ data }) => ({
      action: operationActions[data.operation],
      target: ofSession(data.sessionId),
      payload: {
        outcome: data.outcome,
        failure_category: data.failureCategory,
        duration_ms: data.durationMs,
      },
    }),
    SessionErrored: ({ data }) => ({
      action: 'session.errored',
      target: ofSession(data.sessionId),
      payload: {
        operation: data.operation,
        error_name: data.errorName,
        reason: data.reason,
        duration_ms: data.durationMs,
      },
      bySystem: true,
    }),
    SessionDestroyed: ({ data }) => ({
      action: 'session.destroyed',
      target: ofSession(data.sessionId),
      payload: { reason: data.cause, duration_ms: data.durationMs },
    }),
  }),
  ...handlersOf(apiKeyEvents, {
    ApiKeyCreated: ({ data }) =>
      data.rotatedFrom === null
        ? {
            action: 'api_key.created',
            target: ofKey(data.apiKeyId),
            payload: { name: data.name, scopes: data.scopes, expires_at: data.expiresAt },
          }
        : null,
    ApiKeyRotated: ({ data }) => ({
      action: 'api_key.rotated',
      target: ofKey(data.apiKeyId),
      payload: {
        name: data.successor.name,
        successor: data.successor.apiKeyId,
        grace_ends_at: data.graceEndsAt,
      },
    }),
    ApiKeyRevoked: ({ data }) => ({
      action: 'api_key.revoked',
      target: ofKey(data.apiKeyId),
      payload: { name: data.name, by: data.by },
    }),
  }),
  ...handlersOf(accountEvents, {
    AccountCreated: ({ data }) => ({
      action: 'account.created',
      target: ofAccount(data.accountId),
      payload: { tier: data.tier },
    }),
    TierChanged: ({ data }) => ({
      action: 'account.tier_changed',
      target: ofAccount(data.accountId),
      payload: { from: data.from, to: data.to },
    }),
    ConcurrencyOverridden: ({ data }) => ({
      action: 'account.concurrency_overridden',
      target: ofAccount(data.accountId),
      payload: { limit: data.limit },
    }),
    AccountSuspended: ({ data }) => ({
      action: 'account.suspended',
      target: ofAccount(data.accountId),
      payload: { reason: data.reason },
    }),
    AccountUnsuspended: ({ data }) => ({
      action: 'account.unsuspended',
      target: ofAccount(data.accountId),
      payload: {},
    }),
  }),
  ...handlersOf(webhookEndpointEvents, {
    WebhookRegistered: ({ data }) => ({
      action: 'webhook.created',
      target: ofWebhook(data.webhookId),
      payload: { url: data.url, events: data.events, description: data.description },
    }),
    WebhookChanged: ({ data }) => ({
      action: 'webhook.updated',
      target: ofWebhook(data.webhookId),
      payload: { events: data.events, description: data.description },
    }),
    WebhookSecretRotated: ({ data }) => ({
      action: 'webhook.secret_rotated',
      target: ofWebhook(data.webhookId),
      payload: { grace_ends_at: data.graceEndsAt },
    }),
    WebhookDeleted: ({ data }) => ({
      action: 'webhook.deleted',
      target: ofWebhook(data.webhookId),
      payload: {},
    }),
    WebhookDisabled: ({ data }) => ({
      action: 'webhook.disabled',
      target: ofWebhook(data.webhookId),
      payload: { consecutive_failures: data.consecutive },
      bySystem: true,
    }),
    WebhookTestRequested: ({ id, data }) => ({
      action: 'webhook_delivery.replayed',
      target: ofWebhook(data.webhookId),
      payload: { via: 'send_test_event', event_id: envelopeIdOf(id) },
    }),
  }),
  ...handlersOf(webhookReplayEvents, {
    ReplayRequested: ({ data }) => ({
      action: 'webhook_delivery.replayed',
      target: ofWebhook(data.webhookId),
      payload: {
        via: 'replay_range',
        replay_id: data.replayId,
        since: data.since,
        until: data.until,
        types: data.types,
      },
    }),
    ReplayAbandoned: ({ data }) =>
      data.reason === 'cancelled'
        ? {
            action: 'webhook.replay_cancelled',
            target: ofWebhook(data.webhookId),
            payload: { replay_id: data.replayId, scheduled: data.scheduled },
          }
        : null,
  }),
  ...handlersOf(webhookDeliveryEvents, {
    DeliveryScheduled: ({ data }) =>
      data.replayOf === null
        ? null
        : {
            action: 'webhook_delivery.replayed',
            target: ofDelivery(data.deliveryId),
            payload: {
              via: 'replay',
              replay_of: data.replayOf,
              endpoint_id: data.webhookId,
              event_id: data.eventId,
            },
          },
    DeliveryRequeued: ({ data }) => ({
      action: 'webhook_delivery.requeued',
      target: ofDelivery(data.deliveryId),
      payload: { endpoint_id: data.webhookId },
    }),
  }),
};
