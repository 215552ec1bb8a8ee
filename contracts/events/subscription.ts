import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { tiers } from '../tiers.ts';
import { category, entryOn, type AuditedAction, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
/** An id of the card processor. */
const processorId = Type.String({ minLength: 1, maxLength: 255 });
const cents = Type.Integer({ minimum: 0 });
/** ISO 4217, lower case. */
const currency = Type.String({ pattern: '^[a-z]{3}$' });

/** The processor's statuses of a subscription. */
export const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'incomplete',
  'incomplete_expired',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const PaymentMethod = closed({ brand: Type.String(), last4: Type.String() });
export type PaymentMethod = Static<typeof PaymentMethod>;

const describedSubscription = {
  subscriptionId: processorId,
  /** By its price; null for a price of another origin. */
  tier: nullable(oneOf(tiers)),
  status: oneOf(subscriptionStatuses),
  currentPeriodStart: nullable(Timestamp),
  currentPeriodEnd: nullable(Timestamp),
  cancelAtPeriodEnd: Type.Boolean(),
  paymentMethod: nullable(PaymentMethod),
  createdAt: Timestamp,
};
const describedInvoice = {
  invoiceId: processorId,
  subscriptionId: nullable(processorId),
  tier: nullable(oneOf(tiers)),
  /** In the smallest unit of the currency; zero if nothing was due, as in a trial. */
  amountCents: cents,
  currency,
  periodStart: Timestamp,
  periodEnd: Timestamp,
};
const failedAttempt = {
  /** Counted from 1. */
  attempt: Type.Integer({ minimum: 1 }),
  /** Null: the processor will not retry. */
  nextAttemptAt: nullable(Timestamp),
};

/** A subscription as the processor describes it. */
export const DescribedSubscription = closed(describedSubscription);
export type DescribedSubscription = Readonly<Static<typeof DescribedSubscription>>;

/** An invoice as the processor describes it, once charged: paid, or unpaid after a number of attempts. */
export const DescribedInvoice = Type.Union([
  closed({ ...describedInvoice, paidAt: Timestamp }),
  closed({ ...describedInvoice, ...failedAttempt, paidAt: Type.Null() }),
]);
export type DescribedInvoice = Readonly<Static<typeof DescribedInvoice>>;

const entry = entryOn('account');
const bySystem = (action: string, id: string, payload: AuditedAction['payload']): AuditedAction => ({
  ...entry(action, id, payload),
  bySystem: true,
});

/**
 * `subscription-<account uuid>`: the card processor's data on an account's subscriptions and invoices. Its only personal data are
 * a card's brand and last four digits.
 */
export const subscriptionEvents = category(
  'subscription',
  {
    CardCustomerCreated: closed({ ...of, customerId: processorId }),
    /** A page was opened for the account's owner to subscribe, or to change a subscription's tier. */
    CheckoutOpened: closed({ ...of, tier: oneOf(tiers), expiresAt: Timestamp }),
    PortalOpened: closed({ ...of, expiresAt: Timestamp }),
    /** All known fields of a subscription, after any of them changed. */
    SubscriptionChanged: closed({
      ...of,
      ...describedSubscription,
      /** When its renewal is announced; null: not, or already for this period. */
      remindAt: nullable(Timestamp),
      /** Time of the callback with this content; absent for an answer of the processor. */
      saidAt: Type.Optional(Timestamp),
    }),
    /** Its period is about to end, with the next payment. */
    RenewalNear: closed({
      ...of,
      subscriptionId: processorId,
      tier: oneOf(tiers),
      renewsAt: Timestamp,
    }),
    InvoicePaid: closed({ ...of, ...describedInvoice, paidAt: Timestamp }),
    PaymentFailed: closed({ ...of, ...describedInvoice, ...failedAttempt }),
    /** The processor voided an unpaid invoice or gave it up. It can still be paid. */
    InvoiceClosed: closed({ ...of, invoiceId: processorId }),
  },
  {
    audit: {
      CheckoutOpened: ({ accountId: id, tier }) => entry('billing.checkout_opened', id, { tier }),
      PortalOpened: ({ accountId: id }) => entry('billing.portal_opened', id),
      SubscriptionChanged: ({ accountId: id, tier, status, currentPeriodEnd, cancelAtPeriodEnd }) =>
        bySystem('billing.subscription_changed', id, {
          ...{ tier, status, current_period_end: currentPeriodEnd, cancel_at_period_end: cancelAtPeriodEnd },
        }),
      InvoicePaid: ({ accountId: id, invoiceId, amountCents, currency: unit }) =>
        bySystem('billing.invoice_paid', id, {
          ...{ invoice_id: invoiceId, amount_cents: amountCents, currency: unit },
        }),
      PaymentFailed: ({ accountId: id, invoiceId, attempt, amountCents, currency: unit }) =>
        bySystem('billing.payment_failed', id, {
          ...{ invoice_id: invoiceId, attempt, amount_cents: amountCents, currency: unit },
        }),
      InvoiceClosed: ({ accountId: id, invoiceId }) =>
        bySystem('billing.invoice_closed', id, { invoice_id: invoiceId }),
    },
    timers: {
      SubscriptionChanged: ({ subscriptionId, remindAt }) =>
        remindAt === null
          ? { subject: subscriptionId, ends: ['card_renewal'] }
          : { subject: subscriptionId, starts: { card_renewal: remindAt } },
      RenewalNear: ({ subscriptionId }) => ({ subject: subscriptionId, ends: ['card_renewal'] }),
    },
  },
);
export type SubscriptionEvent = EventOf<typeof subscriptionEvents>;

/** `card_customer-<uuid>`: the account of a customer of the card processor. The uuid derives from the customer's id. */
export const cardCustomerEvents = category('card_customer', {
  CardCustomerLinked: closed({ ...of, customerId: processorId }),
});
export type CardCustomerEvent = EventOf<typeof cardCustomerEvents>;
