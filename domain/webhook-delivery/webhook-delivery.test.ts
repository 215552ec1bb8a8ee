import { expect } from 'chai';
import type { WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';
import { deciderSpec } from '../testing/index.ts';
import { at, commands, events, failed, succeeded } from './testing.ts';
import { isOpen, webhookDelivery, type RecordAttempt, type WebhookDelivery } from './webhook-delivery.ts';

const { given } = deciderSpec(webhookDelivery);
const scheduled = events.DeliveryScheduled();
const delivered = events.DeliverySucceeded();
const cancelled = events.DeliveryCancelled();

/** Every wait of a round, and the last events if each attempt fails as soon as it is due. */
function failUntilTheEnd(fields: Partial<RecordAttempt> = {}, ...history: readonly WebhookDeliveryEvent[]) {
  const waits: number[] = [];
  const decided: WebhookDeliveryEvent[] = [];
  let state = history.reduce(webhookDelivery.evolve, webhookDelivery.initialState);
  while (isOpen(state)) {
    const { dueAt, attempts } = state;
    const attempt = { attempt: attempts + 1, startedAt: dueAt, at: dueAt };
    const more = webhookDelivery.decide(commands.RecordAttempt({ ...attempt, ...fields }), state);
    decided.push(...more);
    state = more.reduce(webhookDelivery.evolve, state);
    if (isOpen(state)) waits.push((Date.parse(state.dueAt) - Date.parse(dueAt)) / 60_000);
  }
  return { waits, decided, state };
}
const deadLetter = [scheduled, ...failUntilTheEnd({}, scheduled).decided];

describe('a delivery', () => {
  it('is scheduled once, its first attempt due at once', () => {
    given().when(commands.ScheduleDelivery()).then(scheduled);
    given(scheduled).when(commands.ScheduleDelivery()).nothing();
    for (const end of [delivered, cancelled]) {
      given(scheduled, end).when(commands.ScheduleDelivery()).nothing();
    }
  });

  it('is not due for another worker during its first attempt, even if that is never recorded', () => {
    const underWay = events.DeliveryScheduled({ underWayUntil: at('12:00:15') });
    given()
      .when(commands.ScheduleDelivery({ underWayUntil: at('12:00:15') }))
      .then(underWay);
    const state = webhookDelivery.evolve(webhookDelivery.initialState, underWay);
    expect(state).to.include({ status: 'pending', dueAt: at('12:00:15') });
  });

  it('is recorded together with its first attempt when that was made before', () => {
    const attempted = (fields: Partial<RecordAttempt>) =>
      commands.ScheduleAttempted({ attempt: commands.RecordAttempt(fields) });
    given()
      .when(attempted({ result: succeeded }))
      .then(scheduled, delivered);
    given().when(attempted({})).then(scheduled, events.DeliveryAttemptFailed());
  });

  it('takes such an attempt as the first if another process has scheduled it, and ignores it after another attempt', () => {
    const attempted = commands.ScheduleAttempted({ attempt: commands.RecordAttempt({ result: succeeded }) });
    given(scheduled).when(attempted).then(delivered);
    given(scheduled, cancelled).when(attempted).then(delivered);
    for (const over of [delivered, events.DeliveryAttemptFailed()])
      given(scheduled, over).when(attempted).nothing();
  });

  it('has succeeded with any 2xx, and is attempted no more', () => {
    for (const responseStatus of [200, 204, 299]) {
      given(scheduled)
        .when(commands.RecordAttempt({ result: { outcome: 'succeeded', responseStatus } }))
        .then(events.DeliverySucceeded({ responseStatus }));
    }
    given(scheduled, delivered)
      .when(commands.RecordAttempt({ attempt: 2 }))
      .nothing();
  });

  it('is postponed by a failure, whose event says what happened', () => {
    given(scheduled).when(commands.RecordAttempt()).then(events.DeliveryAttemptFailed());
    given(scheduled)
      .when(commands.RecordAttempt({ result: { outcome: 'failed', responseStatus: null, error: 'timeout' } }))
      .then(events.DeliveryAttemptFailed({ responseStatus: null, error: 'timeout' }));
  });

  it('may succeed after failures', () => {
    given(scheduled, events.DeliveryAttemptFailed())
      .when(commands.RecordAttempt({ attempt: 2, result: succeeded }))
      .then(events.DeliverySucceeded({ attempt: 2 }));
  });
});

describe('the attempts of a delivery', () => {
  it('are six: at once, and after 1, 5, 15, 30 and 60 minutes; then it is a dead letter', () => {
    const { waits, decided } = failUntilTheEnd({}, scheduled);
    expect(waits).to.deep.equal([1, 5, 15, 30, 60]);
    const types = decided.map(({ type }) => type);
    expect(types).to.deep.equal([
      ...Array.from({ length: 6 }, () => 'DeliveryAttemptFailed'),
      'DeliveryDeadLettered',
    ]);
    expect(decided.at(-2)?.data).to.include({ attempt: 6, nextAttemptAt: null });
    expect(decided.at(-1)?.data).to.include({ attempts: 6 });
  });

  it('wait from the end of the one before, not from its beginning', () => {
    given(scheduled)
      .when(commands.RecordAttempt({ startedAt: at('12:00:00'), at: at('12:00:10') }))
      .then(events.DeliveryAttemptFailed({ at: at('12:00:10'), nextAttemptAt: at('12:01:10') }));
  });

  it('may come up to the jitter later, and never earlier', () => {
    expect(failUntilTheEnd({ jitter: 0.1 }, scheduled).waits.map(Math.round)).to.deep.equal([
      1, 6, 17, 33, 66,
    ]);
    expect(failUntilTheEnd({ jitter: -0.5 }, scheduled).waits).to.deep.equal([1, 5, 15, 30, 60]);
  });

  it('are as many as the configured waits and one', () => {
    expect(failUntilTheEnd({ backoffMs: [] }, scheduled).decided).to.have.length(2);
    expect(failUntilTheEnd({ backoffMs: [60_000] }, scheduled).waits).to.deep.equal([1]);
  });

  it('are each recorded once if two workers made the same one', () => {
    given(scheduled, events.DeliveryAttemptFailed()).when(commands.RecordAttempt()).nothing();
    given(scheduled, events.DeliveryAttemptFailed())
      .when(commands.RecordAttempt({ result: succeeded }))
      .nothing();
    given(scheduled, delivered)
      .when(commands.RecordAttempt({ result: failed }))
      .nothing();
  });

  it('are recorded in sequence, and not before the delivery is scheduled', () => {
    given(scheduled)
      .when(commands.RecordAttempt({ attempt: 2 }))
      .nothing();
    given().when(commands.RecordAttempt()).nothing();
  });
});

describe('a dead letter', () => {
  it('starts a new round when it is requeued, due at once', () => {
    given(...deadLetter)
      .when(commands.RequeueDelivery())
      .then(events.DeliveryRequeued());
    const again = failUntilTheEnd({}, ...deadLetter, events.DeliveryRequeued());
    expect(again.waits).to.deep.equal([1, 5, 15, 30, 60]);
    expect(again.decided.at(-1)?.data).to.include({ attempts: 12 });
  });

  it('takes no further attempt, and nothing cancels it', () => {
    given(...deadLetter)
      .when(commands.RecordAttempt({ attempt: 7, result: succeeded }))
      .nothing();
    given(...deadLetter)
      .when(commands.CancelDelivery())
      .nothing();
  });

  it('is no delivery that is in progress, has ended otherwise or never existed', () => {
    given(scheduled).when(commands.RequeueDelivery()).nothing();
    given(scheduled, events.DeliveryAttemptFailed()).when(commands.RequeueDelivery()).nothing();
    given(...deadLetter, events.DeliveryRequeued())
      .when(commands.RequeueDelivery())
      .nothing();
    given(scheduled, delivered).when(commands.RequeueDelivery()).refused('conflict');
    given(scheduled, cancelled).when(commands.RequeueDelivery()).refused('conflict');
    given().when(commands.RequeueDelivery()).refused('not-found');
  });
});

describe('a delivery whose endpoint is gone', () => {
  it('is cancelled, with the reason, before or between its attempts', () => {
    given(scheduled).when(commands.CancelDelivery()).then(cancelled);
    given(scheduled, events.DeliveryAttemptFailed())
      .when(commands.CancelDelivery({ reason: 'webhook_disabled' }))
      .then(events.DeliveryCancelled({ reason: 'webhook_disabled' }));
  });

  it('is cancelled once, and not after it has ended', () => {
    given(scheduled, cancelled).when(commands.CancelDelivery()).nothing();
    given(scheduled, delivered).when(commands.CancelDelivery()).nothing();
    given().when(commands.CancelDelivery()).nothing();
  });

  it('is delivered if the attempt in flight succeeds', () => {
    const record = commands.RecordAttempt({ result: succeeded });
    given(scheduled, cancelled).when(record).then(delivered);
    given(scheduled, cancelled, delivered).when(record).nothing();
    given(scheduled, cancelled, delivered).when(commands.CancelDelivery()).nothing();
  });

  it('stays cancelled if the attempt in flight fails, which is recorded and schedules nothing', () => {
    const failedLate = events.DeliveryAttemptFailed({ nextAttemptAt: null });
    given(scheduled, cancelled).when(commands.RecordAttempt()).then(failedLate);
    const isLast = commands.RecordAttempt({ backoffMs: [] });
    given(scheduled, cancelled).when(isLast).then(failedLate);
    given(scheduled, cancelled, failedLate).when(commands.ScheduleDelivery()).nothing();
    given(scheduled, cancelled, failedLate).when(commands.RequeueDelivery()).refused('conflict');
  });

  it('takes the outcome of that attempt once, and of no other', () => {
    const failedLate = events.DeliveryAttemptFailed({ nextAttemptAt: null });
    for (const attempt of [1, 2])
      given(scheduled, cancelled, failedLate)
        .when(commands.RecordAttempt({ attempt, result: succeeded }))
        .nothing();
    given(scheduled, cancelled)
      .when(commands.RecordAttempt({ attempt: 2, result: succeeded }))
      .nothing();
  });

  it('is attempted no more', () => {
    given(scheduled)
      .when(commands.CancelDelivery())
      .leaves((state: WebhookDelivery) => expect(isOpen(state)).to.equal(false));
  });
});
