import { expect } from 'chai';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { auditedTypes } from '../../contracts/events/index.ts';
import { envelopeIdOf } from '../../contracts/webhooks/envelope.ts';
import { by, recorded } from '../testing/index.ts';
import { deliveryEvents, endpointEvents, mailEvents, of, replayEvents } from '../testing/webhooks.ts';
import { auditEntryOf, emptyChain } from './entry.ts';
import { auditLog } from './log.ts';

const audited = (event: DomainEvent) =>
  auditedTypes[event.type]?.(event.data, recorded('any-1', event).id) ?? undefined;

const registered = endpointEvents.WebhookRegistered();
const scheduled = deliveryEvents.DeliveryScheduled();
const { webhookId } = registered.data;
const { deliveryId, eventId } = scheduled.data;
const replayOf = 'dlv_0197f1a0-0000-7000-8000-000000000009';
const requested = replayEvents.ReplayRequested();

describe('the audit log of webhooks', () => {
  const entries: [DomainEvent, string, string, object][] = [
    [
      registered,
      'webhook.created',
      webhookId,
      { url: registered.data.url, events: registered.data.events, description: null },
    ],
    [
      endpointEvents.WebhookChanged(),
      'webhook.updated',
      webhookId,
      { events: ['api_key.revoked'], description: null },
    ],
    [
      endpointEvents.WebhookSecretRotated(),
      'webhook.secret_rotated',
      webhookId,
      { grace_ends_at: endpointEvents.WebhookSecretRotated().data.graceEndsAt },
    ],
    [endpointEvents.WebhookDeleted(), 'webhook.deleted', webhookId, {}],
    [endpointEvents.WebhookDisabled(), 'webhook.disabled', webhookId, { consecutive_failures: 50 }],
    [
      deliveryEvents.DeliveryScheduled({ trigger: 'replay', replayOf }),
      'webhook_delivery.replayed',
      deliveryId,
      { via: 'replay', replay_of: replayOf, endpoint_id: scheduled.data.webhookId, event_id: eventId },
    ],
    [
      requested,
      'webhook_delivery.replayed',
      of.webhookId,
      {
        via: 'replay_range',
        replay_id: of.replayId,
        since: requested.data.since,
        until: requested.data.until,
        types: null,
      },
    ],
    [
      replayEvents.ReplayAbandoned({ reason: 'cancelled' }),
      'webhook.replay_cancelled',
      of.webhookId,
      { replay_id: of.replayId, scheduled: 100 },
    ],
    [
      deliveryEvents.DeliveryRequeued(),
      'webhook_delivery.requeued',
      deliveryId,
      { endpoint_id: scheduled.data.webhookId },
    ],
  ];
  for (const [event, action, id, payload] of entries) {
    it(`${event.type} is ${action}`, () => {
      const entry = audited(event);
      expect(entry).to.deep.include({ action, payload });
      expect(entry?.target.id).to.equal(id);
    });
  }

  it('a test is a replay that sends a test event', () => {
    const event = recorded('any-1', endpointEvents.WebhookTestRequested());
    expect(auditedTypes.WebhookTestRequested?.(event.data, event.id)).to.deep.equal({
      action: 'webhook_delivery.replayed',
      target: { type: 'webhook', id: webhookId },
      payload: { via: 'send_test_event', event_id: envelopeIdOf(event.id) },
    });
  });

  it('effects of a request, and events without a request, have no entries', () => {
    const silent: readonly DomainEvent[] = [
      endpointEvents.WebhookFailureCounted(),
      endpointEvents.WebhookFailuresCleared(),
      endpointEvents.WebhookSecretAged(),
      endpointEvents.WebhookGraceEnding(),
      scheduled,
      deliveryEvents.DeliveryScheduled({ trigger: 'test' }),
      deliveryEvents.DeliveryScheduled({ trigger: 'replay', replayId: of.replayId }),
      deliveryEvents.DeliverySucceeded(),
      deliveryEvents.DeliveryAttemptFailed(),
      deliveryEvents.DeliveryDeadLettered(),
      deliveryEvents.DeliveryCancelled(),
      replayEvents.ReplayAdvanced(),
      replayEvents.ReplayCompleted(),
      replayEvents.ReplayAbandoned(),
      mailEvents.MailQueued(),
    ];
    expect(silent.map(audited)).to.deep.equal(silent.map(() => undefined));
  });

  it('never shows a secret or a body', () => {
    const shown = JSON.stringify(entries.map(([event]) => audited(event)));
    for (const hidden of [registered.data.secret.sealed, scheduled.data.body]) {
      expect(shown).to.not.contain(JSON.stringify(hidden).slice(1, -1));
    }
  });

  it('actions of the service itself have the system as their actor, in the log of the owner', () => {
    const { accountId } = of;
    const event = recorded('webhook_endpoint-1', endpointEvents.WebhookDisabled(), by(accountId));
    expect(auditEntryOf(event, emptyChain)).to.include({ actor_type: 'system', account_id: accountId });
  });

  it('is read from every stream that contributes to it', () =>
    expect(auditLog.categories).to.include.members([
      'webhook_endpoint',
      'webhook_delivery',
      'webhook_replay',
    ]));
});
