import { deciderSpec } from '../testing/index.ts';
import { order } from './order.ts';
import { accountId, at, commands, decimal, events, orderId, payment } from './testing.ts';

const { given } = deciderSpec(order);
const pending = [events.OrderPlaced(), events.PaymentCreated()];
const ends = [events.OrderExpired(), events.OrderCancelled(), events.OrderFailed()];
const inAnHour = '2026-01-05T13:00:00.000Z';
const inADay = '2026-01-06T12:00:00.000Z';
const inThreeDays = '2026-01-08T12:00:00.000Z';
const inAWeek = '2026-01-12T12:00:00.000Z';

describe('an order that ended without payment', () => {
  it('is checked after an hour, a day, three days and a week', () => {
    const checks = { checksAt: [inAnHour, inADay, inThreeDays, inAWeek] };
    given(...pending)
      .when(commands.CancelOrder())
      .then(events.OrderCancelled(checks));
    for (const end of ends) {
      const first = events.PaymentsChecked({ at: inAnHour, checksAt: [inADay, inThreeDays, inAWeek] });
      given(...pending, end)
        .when(commands.RecordCheck({ at: '2026-01-05T12:59:59.999Z' }))
        .nothing();
      given(...pending, end)
        .when(commands.RecordCheck({ at: inAnHour }))
        .then(first);
      given(...pending, end, first)
        .when(commands.RecordCheck({ at: inAnHour }))
        .nothing();
      given(...pending, end, first)
        .when(commands.RecordCheck({ at: inAWeek }))
        .then(events.PaymentsChecked({ at: inAWeek }));
      given(...pending, end, first, events.PaymentsChecked({ at: inAWeek }))
        .when(commands.RecordCheck({ at: '2027-01-01T00:00:00.000Z' }))
        .nothing();
    }
  });

  it('has late money put under review between its checks', () => {
    const paid = payment({ status: 'finished', actuallyPaid: decimal('0.001') });
    for (const end of ends)
      given(...pending, end, events.PaymentsChecked({ checksAt: [inADay] }))
        .when(commands.ObservePayment({ payment: paid, at }))
        .then(events.PaymentReviewRequested());
  });

  it('is not checked if an earlier release has ended it, if it was paid, or was never shown', () => {
    const cancelled = { type: 'OrderCancelled', data: { orderId, accountId, at } } as const;
    for (const end of [cancelled, events.OrderPaid()])
      given(...pending, end)
        .when(commands.RecordCheck({ at: inAWeek }))
        .nothing();
    given(events.OrderPlaced(), events.OrderWithdrawn())
      .when(commands.RecordCheck({ at: inAWeek }))
      .nothing();
    given().when(commands.RecordCheck()).nothing();
  });
});
