import { apiVersion } from '../stripe.ts';
import {
  newId,
  type Card,
  type Checkout,
  type Customer,
  type Invoice,
  type SentEvent,
  type Subscription,
} from './book.ts';

export interface LedgerOptions {
  /** Monthly prices in cents, by price id. */
  readonly prices: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every event, in order. */
  readonly onEvent: (event: SentEvent) => void;
}

/** The hidden parts of a checkout session. */
interface Ordered {
  readonly price: string;
  /** Metadata of the future subscription. */
  readonly metadata: Subscription['metadata'];
}

const monthSeconds = 30 * 86_400;

/** Customers, subscriptions and invoices, with operations on them. Times are in seconds, like the processor's. */
export class Ledger {
  readonly customers = new Map<string, Customer>();
  readonly checkouts = new Map<string, Checkout & Ordered>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly cards = new Map<string, Card>();
  readonly #options: LedgerOptions;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  get now(): number {
    return Math.floor(this.#options.now() / 1000);
  }

  hasPrice(price: string): boolean {
    return price in this.#options.prices;
  }

  addCustomer(metadata: Customer['metadata']): Customer {
    const customer: Customer = {
      ...{ id: newId('cus'), object: 'customer', created: this.now, livemode: false, metadata },
    };
    this.customers.set(customer.id, customer);
    return customer;
  }

  /** Ends its subscriptions. */
  dropCustomer(id: string): void {
    for (const each of this.subscriptions.values()) if (each.customer === id) this.cancel(each.id);
    this.customers.delete(id);
  }

  addCheckout(
    asked: Pick<Checkout, 'customer' | 'client_reference_id' | 'success_url'> & Ordered,
    urlOf: (id: string) => string,
  ): Checkout {
    const id = newId('cs_test');
    const times = { created: this.now, expires_at: this.now + 86_400 };
    const checkout = { object: 'checkout.session', mode: 'subscription', status: 'open' } as const;
    this.checkouts.set(id, { ...asked, ...times, ...checkout, id, url: urlOf(id), subscription: null });
    return this.checkout(id);
  }

  checkout(id: string): Checkout {
    const { price: _, metadata: __, ...checkout } = found(this.checkouts, id);
    return checkout;
  }

  /** Nobody can complete it any more. */
  expire(checkoutId: string): Checkout {
    this.checkouts.set(checkoutId, { ...found(this.checkouts, checkoutId), status: 'expired', url: null });
    return this.checkout(checkoutId);
  }

  /** Completes a checkout with a card. `status`: of the new subscription; a trial costs nothing at first. */
  complete(
    checkoutId: string,
    { status = 'active', last4 = '4242' }: { status?: Subscription['status']; last4?: string } = {},
  ): Subscription {
    const open = found(this.checkouts, checkoutId);
    if (open.subscription !== null) return found(this.subscriptions, open.subscription);
    if (open.status === 'expired') throw new Error(`${checkoutId} has expired.`);
    const card: Card = {
      id: newId('pm'),
      object: 'payment_method',
      type: 'card',
      card: { brand: 'visa', last4 },
    };
    this.cards.set(card.id, card);
    const subscription = this.#subscribe(open, card, status);
    this.checkouts.set(checkoutId, { ...open, status: 'complete', subscription: subscription.id });
    this.#tell('checkout.session.completed', this.checkout(checkoutId));
    this.#tell('customer.subscription.created', subscription);
    const amount = status === 'trialing' ? 0 : this.#priceOf(subscription);
    this.#charge(subscription, amount, status !== 'incomplete', 'subscription_create');
    return subscription;
  }

  /** Starts the next period; `isPaid`: whether the card could be charged. */
  renew(id: string, isPaid = true): Invoice {
    const before = found(this.subscriptions, id);
    const start = itemOf(before).current_period_end;
    const items = [
      { ...itemOf(before), current_period_start: start, current_period_end: start + monthSeconds },
    ];
    const status = isPaid ? 'active' : 'past_due';
    const after = this.#update(id, { status, items: { ...before.items, data: items } });
    return this.#charge(after, this.#priceOf(after), isPaid, 'subscription_cycle');
  }

  /** Charges an open invoice again. */
  retry(invoiceId: string, isPaid = true): Invoice {
    const invoice = found(this.invoices, invoiceId);
    const subscriptionId = invoice.parent.subscription_details.subscription;
    if (isPaid) this.#update(subscriptionId, { status: 'active' });
    return this.#attempt(invoice, isPaid);
  }

  /** Asks nobody to pay an open invoice any more. */
  close(invoiceId: string, status: 'void' | 'uncollectible'): Invoice {
    const closed: Invoice = { ...found(this.invoices, invoiceId), status, next_payment_attempt: null };
    this.invoices.set(invoiceId, closed);
    this.#tell(status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', closed);
    return closed;
  }

  changePrice(id: string, price: string): Subscription {
    const { items } = found(this.subscriptions, id);
    const data = items.data.map((item) => ({ ...item, price: { ...item.price, id: price } }));
    return this.#update(id, { items: { ...items, data } });
  }

  changeStatus(id: string, status: Subscription['status']): Subscription {
    return this.#update(id, { status });
  }

  cancelAtPeriodEnd(id: string): Subscription {
    return this.#update(id, { cancel_at_period_end: true });
  }

  cancel(id: string): Subscription {
    const ended = { ...found(this.subscriptions, id), status: 'canceled' as const };
    this.subscriptions.set(id, ended);
    this.#tell('customer.subscription.deleted', ended);
    return ended;
  }

  #subscribe(
    { customer, price, metadata }: Checkout & Ordered,
    card: Card,
    status: Subscription['status'],
  ): Subscription {
    const period = { current_period_start: this.now, current_period_end: this.now + monthSeconds };
    const item = {
      id: newId('si'),
      object: 'subscription_item',
      price: { id: price, object: 'price' },
    } as const;
    const subscription: Subscription = {
      ...{ id: newId('sub'), object: 'subscription', created: this.now, livemode: false },
      ...{ customer, status, metadata, cancel_at: null, cancel_at_period_end: false },
      items: { object: 'list', data: [{ ...item, ...period }], has_more: false },
      default_payment_method: card.id,
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  #update(id: string, change: Partial<Subscription>): Subscription {
    const changed = { ...found(this.subscriptions, id), ...change };
    this.subscriptions.set(id, changed);
    this.#tell('customer.subscription.updated', changed);
    return changed;
  }

  #charge(
    subscription: Subscription,
    amount: number,
    isPaid: boolean,
    reason: Invoice['billing_reason'],
  ): Invoice {
    const { price, current_period_start: start, current_period_end: end } = itemOf(subscription);
    const line = {
      id: newId('il'),
      object: 'line_item',
      amount,
      currency: 'usd',
      period: { start, end },
    } as const;
    const pricing = { type: 'price_details', price_details: { price: price.id } } as const;
    const details = { subscription: subscription.id, metadata: null };
    const invoice: Invoice = {
      ...{ id: newId('in'), object: 'invoice', created: this.now, livemode: false, currency: 'usd' },
      ...{ customer: subscription.customer, status: 'open', billing_reason: reason },
      ...{
        amount_due: amount,
        amount_paid: 0,
        attempted: false,
        attempt_count: 0,
        next_payment_attempt: null,
      },
      // Of the previous period, without usage.
      ...{ period_start: this.now, period_end: this.now },
      status_transitions: { finalized_at: this.now, paid_at: null },
      parent: { type: 'subscription_details', subscription_details: details, quote_details: null },
      lines: { object: 'list', data: [{ ...line, pricing }], has_more: false },
    };
    return this.#attempt(invoice, isPaid);
  }

  #attempt(before: Invoice, isPaid: boolean): Invoice {
    const tried = { ...before, attempted: true, attempt_count: before.attempt_count + 1 };
    const transitions = { ...before.status_transitions, paid_at: this.now };
    const after: Invoice = isPaid
      ? { ...tried, status: 'paid', amount_paid: before.amount_due, status_transitions: transitions }
      : { ...tried, next_payment_attempt: this.now + 3 * 86_400 };
    this.invoices.set(after.id, after);
    if (isPaid) {
      // Both are sent for one payment.
      this.#tell('invoice.paid', after);
      this.#tell('invoice.payment_succeeded', after);
    } else this.#tell('invoice.payment_failed', after);
    return after;
  }

  #priceOf(subscription: Subscription): number {
    return this.#options.prices[itemOf(subscription).price.id] ?? 0;
  }

  #tell(type: string, object: SentEvent['data']['object']): void {
    this.#options.onEvent({
      ...{ id: newId('evt'), object: 'event', api_version: apiVersion, created: this.now, livemode: false },
      ...{ type, pending_webhooks: 1, data: { object } },
    });
  }
}

function itemOf({ items }: Subscription) {
  const [item] = items.data;
  if (item === undefined) throw new Error('A subscription has an item.');
  return item;
}

export function found<Each>(entries: ReadonlyMap<string, Each>, id: string): Each {
  const each = entries.get(id);
  if (each === undefined) throw new Error(`There is no ${id}.`);
  return each;
}
