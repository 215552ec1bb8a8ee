import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { checksAfter } from './checks.ts';
import { order } from './order.ts';
import { isPayable } from './state.ts';
import { commands, decimal, events, expiresAt, payment } from './testing.ts';

const { given } = deciderSpec(order);
const pending = [events.OrderPlaced(), events.PaymentCreated()];
const confirming = [...pending, events.OrderConfirming()];
const full = decimal('0.001');
const seen = (changes: Parameters<typeof payment>[0]) =>
  commands.ObservePayment({ payment: payment(changes) });
const finished = seen({ status: 'finished', actuallyPaid: full });
const late = events.PaymentReviewRequested();

describe('an order with money that does not pay it', () => {
  it('is not paid by a payment of another amount, price, currency or id', () => {
    const wrong = {
      amount: { actuallyPaid: decimal('0.00099999') },
      price: { price: decimal('48.99') },
      currency: { payCurrency: 'ltc' },
      other_payment: { paymentId: '6666' },
    } as const;
    for (const [reason, changes] of Object.entries(wrong))
      given(...pending)
        .when(seen({ status: 'finished', actuallyPaid: full, ...changes }))
        .leaves((state) => {
          expect(state.status, reason).to.equal(reason === 'amount' ? 'partially_paid' : 'pending');
          expect(isPayable(state) && state.reviews.map((each) => each.reason)).to.deep.equal([reason]);
        });
  });

  it('is partly paid with what has arrived in the end, which is put under review, and again when it expires', () => {
    const less = seen({ status: 'finished', actuallyPaid: decimal('0.0004') });
    const reviewed = events.PaymentReviewRequested({ reason: 'amount', amountPaid: '40000' });
    for (const before of [pending, confirming])
      given(...before)
        .when(less)
        .then(events.OrderPartlyPaid(), reviewed);
    const known = [...confirming, events.OrderPartlyPaid(), reviewed];
    given(...known)
      .when(less)
      .nothing();
    given(...known)
      .when(seen({ status: 'finished', actuallyPaid: decimal('0.0007') }))
      .then(
        events.OrderPartlyPaid({ amountPaid: '70000' }),
        events.PaymentReviewRequested({ reason: 'amount', amountPaid: '70000' }),
      );
    given(...known)
      .when(finished)
      .then(events.OrderPaid());
    given(...known)
      .when(commands.ExpireOrder())
      .then(
        events.OrderExpired({ at: expiresAt, checksAt: checksAfter(expiresAt) }),
        events.PaymentReviewRequested({
          ...{ at: expiresAt, reason: 'partial', processorStatus: 'partially_paid', amountPaid: '40000' },
        }),
      );
  });

  describe('that has ended', () => {
    const ends = [events.OrderExpired(), events.OrderCancelled(), events.OrderFailed()];

    it('is not paid by late money, which is put under review once', () => {
      for (const end of ends) {
        given(...pending, end)
          .when(finished)
          .then(late);
        given(...pending, end, late)
          .when(finished)
          .nothing();
        given(...pending, end)
          .when(seen({ status: 'waiting' }))
          .nothing();
      }
    });

    it('is paid once', () => {
      given(...pending, events.OrderPaid())
        .when(finished)
        .nothing();
    });

    it('puts further money, and reversed money, under review', () => {
      given(...pending, events.OrderPaid())
        .when(seen({ status: 'finished', actuallyPaid: decimal('0.002') }))
        .then(events.PaymentReviewRequested({ reason: 'extra', amountPaid: '200000' }));
      given(...pending, events.OrderPaid())
        .when(seen({ status: 'refunded', actuallyPaid: full }))
        .then(events.PaymentReviewRequested({ reason: 'reversed', processorStatus: 'refunded' }));
    });

    it('records that the paying account has been erased', () => {
      const gone = events.PaymentReviewRequested({ reason: 'account_erased' });
      given(...pending, events.OrderPaid())
        .when(commands.ReviewErased())
        .then(gone);
      given(...pending, events.OrderPaid(), gone)
        .when(commands.ReviewErased())
        .nothing();
    });
  });
});
