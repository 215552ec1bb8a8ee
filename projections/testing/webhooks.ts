import { randomUUID } from 'node:crypto';
import type { MailEvent } from '../../contracts/events/mail.ts';
import type { WebhookReplayEvent } from '../../contracts/events/webhook-replay.ts';
import {
  toId,
  uuidOf,
  type WebhookDeliveryId,
  type WebhookId,
  type WebhookReplayId,
} from '../../contracts/ids.ts';
import { eventBuilders } from '../../domain/testing/index.ts';
import { events as deliveryEvents } from '../../domain/webhook-delivery/testing.ts';
import { events as endpointEvents } from '../../domain/webhook-endpoint/testing.ts';

export { deliveryEvents, endpointEvents };

export const aWebhook = (): WebhookId => toId('webhook', randomUUID());
export const aDelivery = (): WebhookDeliveryId => toId('webhookDelivery', randomUUID());
export const aReplay = (): WebhookReplayId => toId('webhookReplay', randomUUID());

export const webhookStream = (id: WebhookId): string => `webhook_endpoint-${uuidOf(id)}`;
export const deliveryStream = (id: WebhookDeliveryId): string => `webhook_delivery-${uuidOf(id)}`;
export const replayStream = (to: WebhookId): string => `webhook_replay-${uuidOf(to)}`;

const uuid = '0197f1a0-0000-7000-8000-000000000001';
/** Subjects and times of the events below. */
export const of = {
  accountId: toId('account', uuid),
  webhookId: toId('webhook', uuid),
  replayId: toId('webhookReplay', uuid),
  mailId: toId('mail', uuid),
  at: '2026-01-05T12:00:00.000Z',
  later: '2026-01-05T12:00:09.000Z',
  retryAt: '2026-01-05T12:01:00.000Z',
} as const;
const { accountId, webhookId, replayId, mailId, at, later, retryAt } = of;

export const replayEvents = eventBuilders<WebhookReplayEvent>({
  ReplayRequested: {
    ...{ replayId, webhookId, accountId },
    ...{ since: '2026-01-01T00:00:00.000Z', until: at, types: null, at },
  },
  ReplayAdvanced: { replayId, webhookId, upTo: '500/500', scheduled: 100, at: later },
  ReplayCompleted: { replayId, webhookId, scheduled: 130, at: later },
  ReplayAbandoned: { replayId, webhookId, scheduled: 100, reason: 'webhook_deleted', at: later },
});

export const mailEvents = eventBuilders<MailEvent>({
  MailQueued: {
    ...{ mailId, accountId, template: 'webhook-failing', dueAt: at, at },
    facts: { url: 'https://receiver.example/hooks', failures: 10 },
  },
  SubscriberMailQueued: {
    ...{ mailId, subscriptionId: toId('statusSubscription', uuid), subscriber: uuid, dueAt: at, at },
    ...{ template: 'status-subscribed', facts: { components: 'Webhooks' } },
  },
  MailSent: { mailId, attempt: 1, at: later },
  MailAttemptFailed: { mailId, attempt: 1, error: 'unreachable', nextAttemptAt: retryAt, at: later },
  MailAbandoned: { mailId, reason: 'account_erased', at: later },
  MailDeclined: { mailId, accountId, template: 'tier-changed', at },
});
