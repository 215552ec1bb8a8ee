import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/* The processor's data, as far as this service uses it, in the types of the processor's SDK. */

export type Customer = Pick<Stripe.Customer, 'id' | 'object' | 'created' | 'metadata' | 'livemode'>;

type Item = Pick<Stripe.SubscriptionItem, 'id' | 'object' | 'current_period_start' | 'current_period_end'> & {
  readonly price: Pick<Stripe.Price, 'id' | 'object'>;
};
export type Subscription = Pick<
  Stripe.Subscription,
  'id' | 'object' | 'created' | 'status' | 'metadata' | 'cancel_at' | 'cancel_at_period_end' | 'livemode'
> & {
  readonly customer: string;
  readonly items: { readonly object: 'list'; readonly data: readonly Item[]; readonly has_more: false };
  /** An object if expanded. */
  readonly default_payment_method: string | null;
};

type Line = Pick<Stripe.InvoiceLineItem, 'id' | 'object' | 'amount' | 'currency' | 'period'> & {
  readonly pricing: { readonly type: 'price_details'; readonly price_details: { readonly price: string } };
};
export type Invoice = Pick<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'created'
  | 'currency'
  | 'status'
  | 'amount_due'
  | 'amount_paid'
  | 'attempted'
  | 'attempt_count'
  | 'next_payment_attempt'
  | 'period_start'
  | 'period_end'
  | 'billing_reason'
  | 'livemode'
> & {
  readonly customer: string;
  readonly parent: {
    readonly type: 'subscription_details';
    readonly subscription_details: { readonly subscription: string; readonly metadata: null };
    readonly quote_details: null;
  };
  readonly status_transitions: Pick<Stripe.Invoice.StatusTransitions, 'paid_at' | 'finalized_at'>;
  readonly lines: { readonly object: 'list'; readonly data: readonly Line[]; readonly has_more: false };
};

export type Checkout = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'created'
  | 'expires_at'
  | 'mode'
  | 'status'
  | 'client_reference_id'
  | 'success_url'
  | 'url'
> & {
  readonly customer: string;
  readonly subscription: string | null;
};

export type Card = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'type'> & {
  readonly card: { readonly brand: string; readonly last4: string };
};

/** A sent event. */
export type SentEvent = Pick<Stripe.Event, 'id' | 'object' | 'api_version' | 'created' | 'livemode'> & {
  readonly type: string;
  readonly pending_webhooks: number;
  readonly data: { readonly object: Subscription | Invoice | Checkout };
};

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
