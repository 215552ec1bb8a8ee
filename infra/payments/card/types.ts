import type { DescribedInvoice, DescribedSubscription } from '../../../contracts/events/subscription.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import type { CardPage } from '../../../contracts/resources/card-billing.ts';
import type { Tier } from '../../../contracts/tiers.ts';

/** A callback with a valid signature. Ids are null if it has none of that kind. */
export interface CardCallback {
  readonly eventId: string;
  /** Such as `invoice.paid`. */
  readonly kind: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /** The callback's own content, if it can be parsed. */
  readonly subscription?: DescribedSubscription;
  readonly invoice?: DescribedInvoice;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A query about a customer, with the id in a callback, in case it is not among the latest. */
export interface CardQuestion {
  readonly customerId: string;
  /** The recorded tiers by subscription, for those whose price is not sold any more. */
  readonly tiers?: Readonly<Partial<Record<string, Tier | null>>>;
  readonly subscriptionId?: string | null;
  readonly invoiceId?: string | null;
  /** Whether the callback reported a failed payment of the invoice. */
  readonly isFailure?: boolean;
  /** The callback's own content and time, used if the processor does not know the id. */
  readonly said?: Pick<CardCallback, 'subscription' | 'invoice' | 'createdAt'>;
}

/** `saidAt`: time of the callback with this content; absent for an answer of the processor. */
export type AnsweredSubscription = DescribedSubscription & { readonly saidAt?: string };

export interface CardAnswer {
  readonly subscriptions: readonly AnsweredSubscription[];
  readonly invoices: readonly DescribedInvoice[];
  /** Ids of the invoices that were voided or given up. */
  readonly closedInvoices: readonly string[];
}

/**
 * A processor of card payments. Calls reject with the refusal `payments-unavailable` if it is unavailable, slow or refuses. A
 * repeated idempotency key has no second effect, and returns the first answer.
 */
export interface CardProcessor {
  /** Whether the tier has a price. */
  sells(tier: Tier): boolean;
  /** Returns the customer's id. */
  createCustomer(accountId: AccountId, idempotencyKey: string): Promise<string>;
  /** A checkout page. */
  openCheckout(checkout: {
    readonly customerId: string;
    readonly accountId: AccountId;
    readonly tier: Tier;
    readonly idempotencyKey: string;
  }): Promise<CardPage>;
  /** Expires the customer's open checkout pages, or all but the newest: nobody can pay there any more. */
  closeCheckouts(customerId: string, which: 'all' | 'all but the newest'): Promise<void>;
  /** A page to manage everything, or to change one subscription's price. */
  openPortal(portal: {
    readonly customerId: string;
    readonly changing?: string;
    readonly idempotencyKey: string;
  }): Promise<CardPage>;
  /** The present state. */
  ask(question: CardQuestion): Promise<CardAnswer>;
  /** Ends the customer's subscriptions, and deletes the customer's data. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Throws `bad-request` unless it was signed recently with the shared secret. */
  readCallback(bytes: Buffer, signature: string): Promise<CardCallback>;
}
