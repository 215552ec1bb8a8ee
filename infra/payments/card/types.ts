import type { DescribedInvoice, DescribedSubscription } from '../../../contracts/events/subscription.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import type { CardPage } from '../../../contracts/resources/card-billing.ts';
import type { Tier } from '../../../contracts/tiers.ts';

/** A callback whose signature is right. Ids are null where it does not name such a thing. */
export interface CardCallback {
  readonly eventId: string;
  /** Such as `invoice.paid`. */
  readonly kind: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /** What it says itself of what it is about, where that can be read. */
  readonly subscription?: DescribedSubscription;
  readonly invoice?: DescribedInvoice;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What is asked about a customer, and what a callback named besides, in case it is not among the latest. */
export interface CardQuestion {
  readonly customerId: string;
  readonly subscriptionId?: string | null;
  readonly invoiceId?: string | null;
  /** Whether the callback said that paying the invoice failed. */
  readonly isFailure?: boolean;
  /** What the callback said itself, and when it was made: it counts where the processor has nothing of that id. */
  readonly said?: Pick<CardCallback, 'subscription' | 'invoice' | 'createdAt'>;
}

/** `saidAt`: when the callback was made that says so; absent where the processor has answered it. */
export type AnsweredSubscription = DescribedSubscription & { readonly saidAt?: string };

export interface CardAnswer {
  readonly subscriptions: readonly AnsweredSubscription[];
  readonly invoices: readonly DescribedInvoice[];
}

/**
 * A processor of card payments. Calls reject with the refusal `payments-unavailable` when it is away, slow or answers no. A call
 * with an idempotency key that was used before has no second effect, and gives the first answer again.
 */
export interface CardProcessor {
  /** Whether the tier has a price. */
  sells(tier: Tier): boolean;
  /** Gives the id of the customer. */
  createCustomer(accountId: AccountId, idempotencyKey: string): Promise<string>;
  /** A page to subscribe on. */
  openCheckout(checkout: {
    readonly customerId: string;
    readonly accountId: AccountId;
    readonly tier: Tier;
    readonly idempotencyKey: string;
  }): Promise<CardPage>;
  /** A page to manage everything on, or to change one subscription to another price. */
  openPortal(portal: {
    readonly customerId: string;
    readonly changing?: string;
    readonly idempotencyKey: string;
  }): Promise<CardPage>;
  /** The present state. */
  ask(question: CardQuestion): Promise<CardAnswer>;
  /** Ends the subscriptions of the customer, and forgets whose they were. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Throws `bad-request` unless it was signed with the shared secret, not long ago. */
  readCallback(bytes: Buffer, signature: string): Promise<CardCallback>;
}
