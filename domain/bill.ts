import { monthOf } from '../contracts/calendar-month.ts';
import { causeOf, type EventMetadata } from '../contracts/events/metadata.ts';
import { orderEvents, type OrderEvent } from '../contracts/events/order.ts';
import { subscriptionEvents, type SubscriptionEvent } from '../contracts/events/subscription.ts';
import type { AccountId } from '../contracts/ids.ts';
import type { BillKind } from '../contracts/resources/bill.ts';

/** One payment, and the events that led to it. */
export interface BillLine {
  /** Id of the invoice or of the order. */
  readonly reference: string;
  readonly accountId: AccountId;
  /** Month of the payment, UTC: `YYYY-MM`. */
  readonly period: string;
  readonly kind: BillKind;
  /** The subscribed tier, or the ordered product; null for a price of another origin. */
  readonly item: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly paidAt: string;
  readonly eventIds: readonly string[];
}

/** A stored event. */
interface Logged {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Pick<EventMetadata, 'correlation_id' | 'causation_id'>;
}

type Paid = Extract<SubscriptionEvent, { type: 'InvoicePaid' }> | Extract<OrderEvent, { type: 'OrderPaid' }>;
type What = Omit<BillLine, 'period' | 'eventIds'>;

const whatOf: { readonly [Type in Paid['type']]: (data: Extract<Paid, { type: Type }>['data']) => What } = {
  InvoicePaid: ({ invoiceId, accountId, tier, amountCents, currency, paidAt }) => ({
    ...{ reference: invoiceId, accountId, kind: 'card', item: tier, amountCents, currency, paidAt },
  }),
  OrderPaid: ({ orderId, accountId, product, priceCents, priceCurrency, at }) => ({
    ...{ reference: orderId, accountId, kind: 'crypto', item: product },
    ...{ amountCents: priceCents, currency: priceCurrency, paidAt: at },
  }),
};

/** The categories whose events lead to bills, and the event types of payments. */
export const billed = {
  categories: [subscriptionEvents.name, orderEvents.name],
  types: new Set<string>(Object.keys(whatOf)),
} as const;

/**
 * The bill line of an event of those types; undefined if nothing was due. The causing events precede it, if there are any: the
 * processor's callback, or the event that set the timer by which the payment was found.
 */
export function billLineOf({ id, metadata, ...event }: Logged): BillLine | undefined {
  // Only its own writers append to the categories, after the data was checked against its schema.
  const { type, data } = event as Paid;
  const what = type === 'InvoicePaid' ? whatOf[type](data) : whatOf[type](data);
  if (what.amountCents === 0) return undefined;
  const cause = causeOf(metadata);
  return { ...what, period: monthOf(what.paidAt), eventIds: [...(cause === null ? [] : [cause]), id] };
}

/** Prices in cents: of tiers by card, and of products by crypto. Items not listed keep their price. */
export interface Tariff {
  readonly cards: Readonly<Record<string, number>>;
  readonly crypto: Readonly<Record<string, number>>;
}

const pricesOf: Readonly<Record<BillKind, keyof Tariff>> = { card: 'cards', crypto: 'crypto' };

/** The price of a line by another tariff, in cents. */
export const priceUnder = (
  { kind, item, amountCents }: Pick<BillLine, 'kind' | 'item' | 'amountCents'>,
  tariff: Tariff,
): number => (item === null ? undefined : tariff[pricesOf[kind]][item]) ?? amountCents;
