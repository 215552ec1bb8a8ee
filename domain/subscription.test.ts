import { expect } from 'chai';
import fc from 'fast-check';
import type {
  DescribedInvoice,
  DescribedSubscription,
  SubscriptionEvent,
} from '../contracts/events/subscription.ts';
import { toId } from '../contracts/ids.ts';
import {
  invoicesOf,
  mainSubscription,
  subscription,
  tierByCard,
  type CardBilling,
  type SubscriptionCommand,
} from './subscription.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const at = '2026-01-05T12:00:00.000Z';
const ends = '2026-02-05T12:00:00.000Z';
const remindAt = '2026-01-29T12:00:00.000Z';
const subscriptionId = 'sub_1';

const described: DescribedSubscription = {
  ...{ subscriptionId, tier: 'personal', status: 'active', cancelAtPeriodEnd: false, createdAt: at },
  ...{ currentPeriodStart: at, currentPeriodEnd: ends, paymentMethod: { brand: 'visa', last4: '4242' } },
};
const charge: Omit<Extract<DescribedInvoice, { attempt: number }>, 'attempt' | 'nextAttemptAt' | 'paidAt'> = {
  ...{ invoiceId: 'in_1', subscriptionId, tier: 'personal', amountCents: 900, currency: 'usd' },
  ...{ periodStart: at, periodEnd: ends },
};
const paid = { ...charge, paidAt: at };
const failed = { ...charge, attempt: 1, nextAttemptAt: null, paidAt: null };

const {
  CardCustomerCreated,
  SubscriptionChanged,
  RenewalNear,
  InvoicePaid,
  PaymentFailed,
  InvoiceClosed,
  CheckoutOpened,
} = eventBuilders<SubscriptionEvent>({
  CardCustomerCreated: { accountId, customerId: 'cus_1', at },
  CheckoutOpened: { accountId, tier: 'personal', expiresAt: ends, at },
  PortalOpened: { accountId, expiresAt: ends, at },
  SubscriptionChanged: { accountId, ...described, remindAt, at },
  RenewalNear: { accountId, subscriptionId, tier: 'personal', renewsAt: ends, at: remindAt },
  InvoicePaid: { accountId, ...charge, paidAt: at, at },
  PaymentFailed: { accountId, ...charge, attempt: 1, nextAttemptAt: null, at },
  InvoiceClosed: { accountId, invoiceId: 'in_1', at },
});
const { LinkCustomer, NoteCheckout, RecordAnswer, RemindOfRenewal } = commandBuilders<SubscriptionCommand>({
  LinkCustomer: { accountId, customerId: 'cus_1', at },
  NoteCheckout: { tier: 'personal', expiresAt: ends, at },
  NotePortal: { expiresAt: ends, at },
  RecordAnswer: { basedOn: 0, subscriptions: [described], invoices: [], closedInvoices: [], at },
  RemindOfRenewal: { subscriptionId, at: remindAt },
});
const { given } = deciderSpec(subscription);
const stateAfter = (...events: readonly SubscriptionEvent[]): CardBilling =>
  events.reduce(subscription.evolve, subscription.initialState);

describe('a card subscription', () => {
  it('belongs to the first customer of its account', () => {
    given().when(LinkCustomer()).then(CardCustomerCreated());
    given(CardCustomerCreated())
      .when(LinkCustomer({ customerId: 'cus_2' }))
      .nothing();
  });

  it('begins with a page of the processor, which only a customer gets', () => {
    given(CardCustomerCreated()).when(NoteCheckout()).then(CheckoutOpened());
    given().when(NoteCheckout()).refused('not-found');
  });

  it('is recorded when any part of it has changed', () => {
    given(CardCustomerCreated()).when(RecordAnswer()).then(SubscriptionChanged());
    given(CardCustomerCreated(), SubscriptionChanged())
      .when(RecordAnswer({ basedOn: 1 }))
      .nothing();
    const cancelled = { ...described, cancelAtPeriodEnd: true };
    given(CardCustomerCreated(), SubscriptionChanged())
      .when(RecordAnswer({ basedOn: 1, subscriptions: [cancelled] }))
      .then(SubscriptionChanged({ cancelAtPeriodEnd: true, remindAt: null }));
  });

  it('that the processor no longer has is taken from the most recently created callback', () => {
    const [first, second] = ['2026-01-05T12:00:01.000Z', '2026-01-05T12:00:02.000Z'];
    const past = { ...described, status: 'past_due' } as const;
    const said = SubscriptionChanged({ ...past, saidAt: second });
    given(CardCustomerCreated())
      .when(RecordAnswer({ subscriptions: [{ ...past, saidAt: second }] }))
      .then(said);
    given(CardCustomerCreated(), said)
      .when(RecordAnswer({ basedOn: 1, subscriptions: [{ ...described, saidAt: first }] }))
      .nothing();
    given(CardCustomerCreated(), said)
      .when(RecordAnswer({ basedOn: 1 }))
      .then(SubscriptionChanged());
  });

  it('is not taken from a callback that was created before the processor’s answer', () => {
    const earlier = { ...described, status: 'incomplete', saidAt: '2026-01-05T11:59:59.000Z' } as const;
    given(CardCustomerCreated(), SubscriptionChanged())
      .when(RecordAnswer({ basedOn: 1, subscriptions: [earlier] }))
      .nothing();
  });

  it('is not taken from an answer that another one has replaced', () => {
    given(CardCustomerCreated(), SubscriptionChanged())
      .when(RecordAnswer({ basedOn: 0, subscriptions: [{ ...described, status: 'past_due' }] }))
      .refused('conflict');
  });

  for (const status of ['trialing', 'active', 'past_due'] as const)
    it(`gives its tier while it is ${status}`, () =>
      expect(tierByCard(stateAfter(CardCustomerCreated(), SubscriptionChanged({ status })))).to.equal(
        'personal',
      ));

  for (const status of ['incomplete', 'incomplete_expired', 'unpaid', 'paused', 'canceled'] as const)
    it(`gives no tier while it is ${status}`, () =>
      expect(tierByCard(stateAfter(CardCustomerCreated(), SubscriptionChanged({ status })))).to.equal(null));

  it('gives no tier for an unknown price', () =>
    expect(tierByCard(stateAfter(CardCustomerCreated(), SubscriptionChanged({ tier: null })))).to.equal(
      null,
    ));

  it('is shown as the one of several that gives the tier', () => {
    const ended = { subscriptionId: 'sub_2', status: 'canceled', createdAt: ends } as const;
    const state = stateAfter(CardCustomerCreated(), SubscriptionChanged(), SubscriptionChanged(ended));
    expect(mainSubscription(state)).to.include({ subscriptionId: 'sub_1' });
    const both = subscription.evolve(state, SubscriptionChanged({ status: 'canceled' }));
    expect(mainSubscription(both)).to.include({ subscriptionId: 'sub_2' });
  });
});

describe('the renewal of a subscription', () => {
  const changed = [CardCustomerCreated(), SubscriptionChanged()] as const;

  it('is announced a week ahead, once a period', () => {
    given(...changed)
      .when(RemindOfRenewal())
      .then(RenewalNear());
    given(...changed)
      .when(RemindOfRenewal({ at }))
      .nothing();
    given(...changed, RenewalNear())
      .when(RemindOfRenewal())
      .nothing();
  });

  it('is not announced again when the subscription changes in the same period', () => {
    const card = { brand: 'visa', last4: '0001' };
    given(...changed, RenewalNear())
      .when(RecordAnswer({ basedOn: 1, subscriptions: [{ ...described, paymentMethod: card }] }))
      .then(SubscriptionChanged({ paymentMethod: card, remindAt: null }));
  });

  it('is announced for the next period', () => {
    const next = { currentPeriodStart: ends, currentPeriodEnd: '2026-03-05T12:00:00.000Z' };
    given(...changed, RenewalNear())
      .when(RecordAnswer({ basedOn: 1, subscriptions: [{ ...described, ...next }] }))
      .then(SubscriptionChanged({ ...next, remindAt: '2026-02-26T12:00:00.000Z' }));
  });

  it('is not announced of a period that is shorter than a week', () => {
    const short = { currentPeriodEnd: '2026-01-08T12:00:00.000Z' };
    given(CardCustomerCreated())
      .when(RecordAnswer({ subscriptions: [{ ...described, ...short }] }))
      .then(SubscriptionChanged({ ...short, remindAt: null }));
  });
});

describe('an invoice', () => {
  it('is paid once, whatever was charged before', () => {
    const answer = { subscriptions: [], invoices: [paid] };
    given(CardCustomerCreated()).when(RecordAnswer(answer)).then(InvoicePaid());
    given(CardCustomerCreated(), PaymentFailed()).when(RecordAnswer(answer)).then(InvoicePaid());
    given(CardCustomerCreated(), InvoicePaid()).when(RecordAnswer(answer)).nothing();
  });

  it('fails once for each attempt, and never after it was paid', () => {
    const answer = { subscriptions: [], invoices: [failed] };
    given(CardCustomerCreated()).when(RecordAnswer(answer)).then(PaymentFailed());
    given(CardCustomerCreated(), PaymentFailed()).when(RecordAnswer(answer)).nothing();
    given(CardCustomerCreated(), PaymentFailed())
      .when(RecordAnswer({ subscriptions: [], invoices: [{ ...failed, attempt: 2 }] }))
      .then(PaymentFailed({ attempt: 2 }));
    given(CardCustomerCreated(), InvoicePaid()).when(RecordAnswer(answer)).nothing();
  });
});

describe('an invoice that was voided or given up', () => {
  const closing = { subscriptions: [], closedInvoices: ['in_1'] };
  const open = [CardCustomerCreated(), PaymentFailed()] as const;

  it('is closed once, if it is known and unpaid', () => {
    given(...open)
      .when(RecordAnswer(closing))
      .then(InvoiceClosed());
    given(...open, InvoiceClosed())
      .when(RecordAnswer(closing))
      .nothing();
    given(CardCustomerCreated()).when(RecordAnswer(closing)).nothing();
    given(CardCustomerCreated(), InvoicePaid()).when(RecordAnswer(closing)).nothing();
  });

  it('is no longer listed, unless it is paid after all', () => {
    expect(invoicesOf(stateAfter(...open, InvoiceClosed()))).to.deep.equal([]);
    given(...open, InvoiceClosed())
      .when(RecordAnswer({ subscriptions: [], invoices: [paid] }))
      .then(InvoicePaid());
    const [invoice] = invoicesOf(stateAfter(...open, InvoiceClosed(), InvoicePaid()));
    expect(invoice).to.include({ invoiceId: 'in_1', paidAt: at });
  });

  it('does not fail any more, whatever an older answer says', () => {
    given(...open, InvoiceClosed())
      .when(RecordAnswer({ subscriptions: [], invoices: [{ ...failed, attempt: 2 }] }))
      .nothing();
  });
});

describe('callbacks in any order and number', () => {
  /** The processor's state after each change there. */
  interface Truth {
    readonly subscriptions: readonly DescribedSubscription[];
    readonly invoices: readonly DescribedInvoice[];
  }
  const statuses = fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'canceled', 'incomplete');
  const truths: fc.Arbitrary<readonly Truth[]> = fc
    .array(fc.record({ status: statuses, invoice: fc.integer({ min: 1, max: 4 }), isPaid: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((happenings) => {
      const invoices = new Map<string, DescribedInvoice>();
      return happenings.map(({ status, invoice, isPaid }) => {
        const invoiceId = `in_${invoice}`;
        const before = invoices.get(invoiceId);
        if (!before?.paidAt) invoices.set(invoiceId, { ...(isPaid ? paid : failed), invoiceId });
        return { subscriptions: [{ ...described, status }], invoices: [...invoices.values()] };
      });
    });

  /** Queries the processor at each callback, and gets the state of that moment. */
  const listen = (history: readonly Truth[], observed: readonly number[]) => {
    let state = stateAfter(CardCustomerCreated());
    const receipts: string[] = [];
    const ask = (truth: Truth): void => {
      const basedOn = state.status === 'none' ? 0 : state.changes;
      for (const event of subscription.decide(RecordAnswer({ basedOn, ...truth }), state)) {
        if (event.type === 'InvoicePaid') receipts.push(event.data.invoiceId);
        state = subscription.evolve(state, event);
      }
    };
    const whens = observed.map((when) => when % history.length).toSorted((a, b) => a - b);
    for (const when of [...whens, history.length - 1])
      ask(history[when] ?? { subscriptions: [], invoices: [] });
    return { tier: tierByCard(state), shown: mainSubscription(state), receipts: receipts.toSorted() };
  };

  it('lead to the same tier, the same subscription and the same receipts', () => {
    fc.assert(
      fc.property(truths, fc.array(fc.nat()), fc.array(fc.nat()), (history, some, others) => {
        expect(listen(history, some)).to.deep.equal(listen(history, others));
      }),
    );
  });

  it('lead to one receipt for each paid invoice', () => {
    fc.assert(
      fc.property(truths, fc.array(fc.nat()), (history, observed) => {
        const paidIds = (history.at(-1)?.invoices ?? []).filter(({ paidAt }) => paidAt !== null);
        expect(listen(history, observed).receipts).to.deep.equal(
          paidIds.map(({ invoiceId }) => invoiceId).toSorted(),
        );
      }),
    );
  });
});
