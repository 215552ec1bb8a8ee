import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { projectionSpec } from '../../domain/testing/index.ts';
import { at, deliveryId, events } from '../../domain/webhook-delivery/testing.ts';
import { recorded } from '../testing/index.ts';
import { webhookDeliveries } from './webhook-delivery.ts';

const spec = projectionSpec(webhookDeliveries);
const given = (...those: readonly DomainEvent[]) =>
  spec.given(...those.map((event) => recorded(`webhook_delivery-${uuidOf(deliveryId)}`, event)));

const scheduled = events.DeliveryScheduled();
const failed = events.DeliveryAttemptFailed();
const { webhookId, accountId, eventId } = scheduled.data;
const pending = {
  id: deliveryId,
  account_id: accountId,
  endpoint_id: webhookId,
  event_id: eventId,
  event_type: 'session.completed' as const,
  status: 'pending' as const,
  trigger: 'event' as const,
  replay_of: null,
  replay_id: null,
  attempt_count: 0,
  next_attempt_at: at('12:00:00'),
  created_at: at('12:00:00'),
  updated_at: at('12:00:00'),
  delivered_at: null,
  attempts: [],
};
const timings = { resolve_ms: 2, connect_ms: 20, first_byte_ms: 30 };
const refused = { at: at('12:00:00'), response_status: 500, error: null, duration_ms: 1000, timings };
const retrying = {
  ...pending,
  status: 'retrying' as const,
  attempt_count: 1,
  next_attempt_at: at('12:01:01'),
  updated_at: at('12:00:01'),
  attempts: [refused],
};
const lastFailed = events.DeliveryAttemptFailed({ attempt: 2, nextAttemptAt: null });
const deadLettered = events.DeliveryDeadLettered({ attempts: 2, at: at('12:01:02') });
const deadLetter = {
  ...retrying,
  status: 'dead_letter' as const,
  attempt_count: 2,
  next_attempt_at: null,
  updated_at: at('12:01:02'),
  attempts: [refused, refused],
};

describe('the row of a webhook delivery', () => {
  it('is due at once when it is scheduled, and has no body', () => given(scheduled).then(pending));

  it('names what it replays', () => {
    const replayOf = 'dlv_0197f1a0-0000-7000-8000-000000000009';
    const replayId = 'rpl_0197f1a0-0000-7000-8000-000000000008';
    given(events.DeliveryScheduled({ trigger: 'replay', replayOf, replayId })).then({
      ...pending,
      trigger: 'replay',
      replay_of: replayOf,
      replay_id: replayId,
    });
  });

  it('keeps every attempt, with its start and its outcome', () => {
    given(scheduled, failed).then(retrying);
    given(scheduled, events.DeliveryAttemptFailed({ responseStatus: null, error: 'timeout' })).then({
      ...retrying,
      attempts: [{ ...refused, response_status: null, error: 'timeout' }],
    });
  });

  it('is delivered by the attempt that succeeds', () =>
    given(scheduled, failed, events.DeliverySucceeded({ attempt: 2, at: at('12:01:02') })).then({
      ...retrying,
      status: 'delivered',
      attempt_count: 2,
      next_attempt_at: null,
      updated_at: at('12:01:02'),
      delivered_at: at('12:01:02'),
      attempts: [refused, { ...refused, response_status: 200 }],
    }));

  it('waits for nothing when its attempts are used up', () =>
    given(scheduled, failed, lastFailed, deadLettered).then(deadLetter));

  it('is due again when it is requeued, and keeps the attempts it had', () =>
    given(scheduled, failed, lastFailed, deadLettered, events.DeliveryRequeued()).then({
      ...deadLetter,
      status: 'pending',
      next_attempt_at: at('15:00:00'),
      updated_at: at('15:00:00'),
    }));

  it('waits for nothing when it is cancelled', () =>
    given(scheduled, events.DeliveryCancelled()).then({
      ...pending,
      status: 'cancelled',
      next_attempt_at: null,
      updated_at: at('12:00:02'),
    }));

  describe('that is cancelled during an attempt', () => {
    const late = { startedAt: at('12:00:00'), at: at('12:00:03') };

    it('is delivered if that succeeds', () =>
      given(scheduled, events.DeliveryCancelled(), events.DeliverySucceeded(late)).then({
        ...pending,
        status: 'delivered',
        attempt_count: 1,
        next_attempt_at: null,
        updated_at: at('12:00:03'),
        delivered_at: at('12:00:03'),
        attempts: [{ ...refused, response_status: 200 }],
      }));

    it('stays cancelled if that fails, and shows it', () =>
      given(
        scheduled,
        events.DeliveryCancelled(),
        events.DeliveryAttemptFailed({ ...late, nextAttemptAt: null }),
      ).then({
        ...pending,
        status: 'cancelled',
        attempt_count: 1,
        next_attempt_at: null,
        updated_at: at('12:00:03'),
        attempts: [refused],
      }));
  });
});
