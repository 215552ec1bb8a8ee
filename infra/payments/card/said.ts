import { Check } from 'typebox/value';
import { DescribedInvoice, DescribedSubscription } from '../../../contracts/events/subscription.ts';
import { Type, nullable } from '../../../contracts/schema.ts';
import { describeInvoice, describeSubscription, type TierOfPrice } from './answers.ts';
import type { CardCallback } from './types.ts';

/*
 * The object in a callback. Unlike an answer it is untrusted, so its form is validated: an invalid one is ignored, and the
 * processor is queried as usual.
 */

const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 });
const Reference = Type.Union([Type.String(), Type.Object({ id: Type.String() }), Type.Null()]);
const Id = Type.String({ minLength: 1, maxLength: 255 });
const period = {
  current_period_start: Type.Optional(Seconds),
  current_period_end: Type.Optional(Seconds),
};
const Method = Type.Object({
  card: Type.Optional(
    nullable(Type.Object({ brand: nullable(Type.String()), last4: nullable(Type.String()) })),
  ),
});

const Prorated = Type.Optional(nullable(Type.Object({ proration: Type.Optional(Type.Boolean()) })));
const Line = Type.Object({
  amount: Type.Optional(Type.Integer()),
  period: Type.Optional(Type.Object({ start: Seconds, end: Seconds })),
  price: Type.Optional(Reference),
  pricing: Type.Optional(
    nullable(Type.Object({ price_details: Type.Optional(Type.Object({ price: Type.Optional(Reference) })) })),
  ),
  proration: Type.Optional(Type.Boolean()),
  parent: Type.Optional(
    nullable(Type.Object({ subscription_item_details: Prorated, invoice_item_details: Prorated })),
  ),
});

const SubscriptionBody = Type.Object({
  id: Id,
  object: Type.Literal('subscription'),
  status: Type.String(),
  created: Seconds,
  ...period,
  cancel_at: Type.Optional(nullable(Seconds)),
  cancel_at_period_end: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(nullable(Type.Record(Type.String(), Type.String()))),
  items: Type.Optional(
    Type.Object({ data: Type.Array(Type.Object({ ...period, price: Type.Optional(Reference) })) }),
  ),
  default_payment_method: Type.Optional(Type.Union([Type.String(), Method, Type.Null()])),
  customer: Type.Optional(Reference),
});

const InvoiceBody = Type.Object({
  id: Id,
  object: Type.Literal('invoice'),
  status: nullable(Type.String()),
  created: Seconds,
  currency: Type.String(),
  amount_due: Type.Optional(Type.Integer()),
  amount_paid: Type.Optional(Type.Integer()),
  attempted: Type.Optional(Type.Boolean()),
  attempt_count: Type.Optional(Type.Integer()),
  next_payment_attempt: Type.Optional(nullable(Seconds)),
  period_start: Type.Optional(Seconds),
  period_end: Type.Optional(Seconds),
  status_transitions: Type.Optional(Type.Object({ paid_at: Type.Optional(nullable(Seconds)) })),
  subscription: Type.Optional(Reference),
  parent: Type.Optional(
    nullable(
      Type.Object({
        subscription_details: Type.Optional(
          nullable(Type.Object({ subscription: Type.Optional(Reference) })),
        ),
      }),
    ),
  ),
  lines: Type.Optional(Type.Object({ data: Type.Array(Line) })),
});

/** The stored parts of a callback's object, with no personal data but a card's brand and last four digits. */
export function saidIn(
  object: unknown,
  kind: string,
  tierOf: TierOfPrice,
): Pick<CardCallback, 'subscription' | 'invoice'> {
  if (Check(SubscriptionBody, object)) {
    const subscription = describeSubscription(object, tierOf);
    return Check(DescribedSubscription, subscription) ? { subscription } : {};
  }
  if (Check(InvoiceBody, object)) {
    const invoice = describeInvoice(object, tierOf, kind === 'invoice.payment_failed');
    return Check(DescribedInvoice, invoice) ? { invoice } : {};
  }
  return {};
}
