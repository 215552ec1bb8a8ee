import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { checksAfter } from './checks.ts';
import { order } from './order.ts';
import { commands, decimal, events, expiresAt, payment, sweepAt } from './testing.ts';

const { given } = deciderSpec(order);
const placed = events.OrderPlaced();
const created = events.PaymentCreated();
const pending = [placed, created];
const confirming = [...pending, events.OrderConfirming()];
const partly = [...pending, events.OrderPartlyPaid()];
const full = decimal('0.001');
const atWindow = { at: expiresAt, checksAt: checksAfter(expiresAt) };
const seen = (changes: Parameters<typeof payment>[0]) =>
  commands.ObservePayment({ payment: payment(changes) });
const finished = seen({ status: 'finished', actuallyPaid: full });

describe('an order', () => {
  it('is placed once, and never after it was abandoned', () => {
    given().when(commands.PlaceOrder()).then(placed);
    given(placed).when(commands.PlaceOrder()).nothing();
    given().when(commands.AbandonOrder()).then(events.OrderAbandoned());
    given(placed).when(commands.AbandonOrder()).nothing();
    given(events.OrderAbandoned()).when(commands.PlaceOrder()).refused('conflict');
  });

  it('is pending with the first payment that is recorded for it', () => {
    given(placed).when(commands.RecordPayment()).then(created);
    given(...pending)
      .when(commands.RecordPayment({ payment: payment({ paymentId: '5002' }) }))
      .nothing();
    given(placed, events.OrderWithdrawn()).when(commands.RecordPayment()).refused('not-found');
  });

  it('keeps every digit of an amount that is finer than the smallest unit', () => {
    given(placed)
      .when(commands.RecordPayment({ payment: payment({ payAmount: decimal('0.0010000001') }) }))
      .then(events.PaymentCreated({ payAmount: '10000001', payExponent: 10 }));
  });

  it('is withdrawn if the processor creates no payment for it', () => {
    given(placed).when(commands.WithdrawOrder()).then(events.OrderWithdrawn());
    given(...pending)
      .when(commands.WithdrawOrder())
      .nothing();
    given(placed)
      .when(commands.ExpireOrder())
      .then(events.OrderWithdrawn({ at: expiresAt }));
  });

  describe('that is pending', () => {
    it('is confirming once money was seen', () => {
      for (const status of ['confirming', 'confirmed', 'sending'] as const)
        given(...pending)
          .when(seen({ status, actuallyPaid: full }))
          .then(events.OrderConfirming());
    });

    it('is paid when the processor confirms it', () => {
      for (const history of [pending, confirming, partly])
        given(...history)
          .when(finished)
          .then(events.OrderPaid());
    });

    it('records the paid amount if it exceeds the requested one', () => {
      given(...pending)
        .when(seen({ status: 'finished', actuallyPaid: decimal('0.0012') }))
        .then(events.OrderPaid({ amountPaid: '120000' }));
    });

    it('supports amounts of more than 64 bits', () => {
      const wei = 100_000_000_000_000_000_000_000_000n;
      const big = { payAmount: decimal(String(wei)), actuallyPaid: decimal(String(wei)) };
      const asked = events.PaymentCreated({ payAmount: `${wei}00000000` });
      given(placed, asked)
        .when(seen({ status: 'finished', ...big }))
        .then(events.OrderPaid({ amountPaid: `${wei}00000000` }));
      given(placed, asked)
        .when(seen({ status: 'finished', ...big, actuallyPaid: decimal(String(wei - 1n)) }))
        .leaves((state) => expect(state.status).to.equal('partially_paid'));
    });

    it('is partly paid with less, and can then be completed', () => {
      given(...pending)
        .when(seen({ status: 'partially_paid', actuallyPaid: decimal('0.0004') }))
        .then(events.OrderPartlyPaid());
      given(...partly)
        .when(seen({ status: 'partially_paid', actuallyPaid: decimal('0.0004') }))
        .nothing();
      given(...confirming)
        .when(seen({ status: 'partially_paid', actuallyPaid: decimal('0.0004') }))
        .then(events.OrderPartlyPaid());
    });

    it('fails when the processor says so, and received money is put under review', () => {
      given(...confirming)
        .when(seen({ status: 'failed' }))
        .then(events.OrderFailed());
      given(...confirming)
        .when(seen({ status: 'refunded', actuallyPaid: full }))
        .then(events.OrderFailed());
      given(...confirming)
        .when(seen({ status: 'expired', actuallyPaid: full }))
        .then(
          events.OrderFailed(),
          events.PaymentReviewRequested({ reason: 'partial', processorStatus: 'expired' }),
        );
      given(...pending)
        .when(seen({ status: 'expired' }))
        .then(events.OrderExpired({ reason: 'ipn', by: 'processor' }));
    });

    it('ignores an unknown status', () => {
      given(...pending)
        .when(seen({ status: 'unknown', actuallyPaid: full }))
        .nothing();
    });

    it('can be paid in another currency, whose payment replaces the present one', () => {
      const requested = events.PaymentRequested();
      const eth = payment({ paymentId: '5002', payCurrency: 'eth', payAmount: decimal('0.02') });
      const other = events.PaymentCreated({
        ...{ attempt: 2, paymentId: '5002', payCurrency: 'eth' },
        ...{ payAmount: '20000000000000000', payExponent: 18 },
      });
      given(...pending)
        .when(commands.RequestPayment())
        .then(requested);
      given(...pending, requested)
        .when(commands.RequestPayment())
        .nothing();
      given(...pending)
        .when(commands.RequestPayment({ payCurrency: 'btc' }))
        .nothing();
      given(...pending, requested)
        .when(commands.RecordPayment({ attempt: 2, payment: eth }))
        .then(other);
      given(...pending, requested, other)
        .when(finished)
        .then(events.PaymentReviewRequested({ reason: 'other_payment' }));
    });

    it('has at most twenty payments', () => {
      const last = (attempt: number) => events.PaymentRequested({ attempt });
      const another = commands.RequestPayment({ payCurrency: 'ltc' });
      given(...pending, last(19))
        .when(another)
        .then(events.PaymentRequested({ attempt: 20, payCurrency: 'ltc' }));
      given(...pending, last(20))
        .when(another)
        .refused('conflict');
      given(...pending, last(20))
        .when(commands.RequestPayment())
        .nothing();
    });

    it('learns of the requested payment from its callback, if that precedes the record', () => {
      given(placed).when(finished).then(created, events.OrderPaid());
      given(placed).when(seen({})).then(created);
    });
  });

  it('is cancelled and changed only while it is pending', () => {
    given(...pending)
      .when(commands.CancelOrder())
      .then(events.OrderCancelled());
    for (const ended of [
      events.OrderConfirming(),
      events.OrderPartlyPaid(),
      events.OrderPaid(),
      events.OrderExpired(),
      events.OrderCancelled(),
    ]) {
      given(...pending, ended)
        .when(commands.CancelOrder())
        .refused('conflict');
      given(...pending, ended)
        .when(commands.RequestPayment())
        .refused('conflict');
    }
  });

  it('expires at the end of its window, and a partial payment is put under review', () => {
    given(...pending)
      .when(commands.ExpireOrder({ at: '2026-01-05T12:59:59.999Z' }))
      .nothing();
    given(...pending)
      .when(commands.ExpireOrder())
      .then(events.OrderExpired(atWindow));
    given(...partly)
      .when(commands.ExpireOrder())
      .then(
        events.OrderExpired(atWindow),
        events.PaymentReviewRequested({
          ...{ at: expiresAt, reason: 'partial', processorStatus: 'partially_paid', amountPaid: '40000' },
        }),
      );
  });

  it('is expired by the sweep at its age limit', () => {
    given(...pending)
      .when(commands.ExpireOrder({ by: 'sweep' }))
      .nothing();
    given(...pending)
      .when(commands.ExpireOrder({ by: 'sweep', at: sweepAt }))
      .then(
        events.OrderExpired({ reason: 'swept', by: 'sweep', at: sweepAt, checksAt: checksAfter(sweepAt) }),
      );
  });

  it('is expired by the operator at any time, unless its money is on its way or it has ended', () => {
    const expire = commands.ExpireOrder({ by: 'operator', at: created.data.at });
    given(...pending)
      .when(expire)
      .then(events.OrderExpired({ by: 'operator' }));
    given(...confirming)
      .when(expire)
      .refused('conflict');
    given(...pending, events.OrderPaid())
      .when(expire)
      .refused('conflict');
    given().when(expire).refused('not-found');
  });

  it('does not expire while it is confirming', () => {
    given(...confirming)
      .when(commands.ExpireOrder({ at: '2026-02-01T00:00:00.000Z' }))
      .nothing();
  });

  it('ignores a payment of another order', () => {
    const other = 'ord_0197f1a0-0000-7000-8000-000000000009';
    given(...pending)
      .when(seen({ status: 'finished', actuallyPaid: full, orderId: other }))
      .nothing();
    given().when(finished).nothing();
  });
});
