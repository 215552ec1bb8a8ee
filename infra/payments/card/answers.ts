import {
  subscriptionStatuses,
  type DescribedInvoice,
  type DescribedSubscription,
  type PaymentMethod,
} from '../../../contracts/events/subscription.ts';
import { highestOf, tiers, type Tier } from '../../../contracts/tiers.ts';

/*
 * The processor's objects, as far as they are used. The position of some fields depends on the API's version: callbacks have the
 * version of the processor's account, answers that of the SDK, so such fields are read from both positions.
 */

type Reference = string | { readonly id: string } | null;

interface Method {
  readonly card?: { readonly brand: string | null; readonly last4: string | null } | null;
}

interface Period {
  readonly current_period_start?: number;
  readonly current_period_end?: number;
}

export interface SubscriptionObject extends Period {
  readonly id: string;
  readonly status: string;
  readonly created: number;
  readonly cancel_at?: number | null;
  readonly cancel_at_period_end?: boolean;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly items?: { readonly data: readonly (Period & { readonly price?: Reference })[] };
  readonly default_payment_method?: string | Method | null;
  readonly customer?: string | CustomerObject | null;
}

interface CustomerObject {
  readonly id: string;
  readonly invoice_settings?: { readonly default_payment_method?: string | Method | null } | null;
}

export interface InvoiceObject {
  readonly id: string;
  readonly status: string | null;
  readonly created: number;
  readonly currency: string;
  readonly amount_due?: number;
  readonly amount_paid?: number;
  readonly attempted?: boolean;
  readonly attempt_count?: number;
  readonly next_payment_attempt?: number | null;
  readonly period_start?: number;
  readonly period_end?: number;
  readonly status_transitions?: { readonly paid_at?: number | null };
  readonly subscription?: Reference;
  readonly parent?: {
    readonly subscription_details?: { readonly subscription?: Reference } | null;
  } | null;
  readonly lines?: { readonly data: readonly LineObject[] };
}

interface LineObject {
  readonly amount?: number;
  readonly period?: { readonly start: number; readonly end: number };
  readonly price?: Reference;
  readonly pricing?: { readonly price_details?: { readonly price?: Reference } } | null;
  readonly proration?: boolean;
  readonly parent?: {
    readonly subscription_item_details?: Prorated | null;
    readonly invoice_item_details?: Prorated | null;
  } | null;
}

interface Prorated {
  readonly proration?: boolean;
}

export const idOf = (reference: Reference | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

export const subscriptionOf = ({
  parent,
  subscription,
}: Pick<InvoiceObject, 'parent' | 'subscription'>): string | null =>
  idOf(parent?.subscription_details?.subscription ?? subscription);

/** Seconds since 1970. */
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
const timeIf = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : timeOf(seconds);

/** The tier of one of our prices. */
export type TierOfPrice = (price: string | null) => Tier | undefined;

/** Undefined for a status unknown to this service. `recorded`: its tier when it was last described. */
export function describeSubscription(
  object: SubscriptionObject,
  tierOf: TierOfPrice,
  recorded: Tier | null = null,
): DescribedSubscription | undefined {
  const status = subscriptionStatuses.find((each) => each === object.status);
  if (status === undefined) return undefined;
  const { items: { data: items } = { data: [] }, metadata, cancel_at: cancelAt } = object;
  const end = object.current_period_end ?? items[0]?.current_period_end;
  return {
    subscriptionId: object.id,
    // A price that is no longer sold is not configured either. Metadata has the tier of the first purchase: the processor does not change
    // it when the customer changes the plan.
    tier:
      tierOfAny(
        items.map(({ price }) => idOf(price)),
        tierOf,
      ) ??
      recorded ??
      tierNamed(metadata?.tier),
    status,
    currentPeriodStart: timeIf(object.current_period_start ?? items[0]?.current_period_start),
    currentPeriodEnd: timeIf(end),
    cancelAtPeriodEnd: object.cancel_at_period_end === true || isEndBy(cancelAt, end),
    paymentMethod: methodOf(object),
    createdAt: timeOf(object.created),
  };
}

/** Whether a subscription that is cancelled at a time will not be renewed. */
const isEndBy = (cancelAt: number | null | undefined, end: number | undefined): boolean =>
  typeof cancelAt === 'number' && end !== undefined && cancelAt <= end;

function tierOfAny(prices: readonly (string | null)[], tierOf: TierOfPrice): Tier | null {
  const known = prices.flatMap((price) => tierOf(price) ?? []);
  return known.length === 0 ? null : highestOf(known);
}

const tierNamed = (name: string | undefined): Tier | null => tiers.find((tier) => tier === name) ?? null;

/** The subscription's card, else its customer's. */
function methodOf({ default_payment_method: own, customer }: SubscriptionObject): PaymentMethod | null {
  const settings = customer !== null && typeof customer === 'object' ? customer.invoice_settings : undefined;
  for (const method of [own, settings?.default_payment_method]) {
    const card = method !== null && typeof method === 'object' ? method.card : undefined;
    if (card) return { brand: card.brand ?? 'unknown', last4: card.last4 ?? '' };
  }
  return null;
}

/** Undefined if it was not charged. `hasFailed`: a callback reported a failed charge. */
export function describeInvoice(
  object: InvoiceObject,
  tierOf: TierOfPrice,
  hasFailed: boolean,
): DescribedInvoice | undefined {
  const { status, amount_due: due = 0, attempt_count: attempts = 0 } = object;
  const facts = invoiceFacts(object, tierOf);
  if (status === 'paid') {
    const paidAt = timeOf(object.status_transitions?.paid_at ?? object.created);
    return { ...facts, amountCents: object.amount_paid ?? due, paidAt };
  }
  const wasTried = hasFailed || (object.attempted === true && attempts > 0);
  if (status !== 'open' || !wasTried) return undefined;
  const nextAttemptAt = timeIf(object.next_payment_attempt);
  return { ...facts, amountCents: due, attempt: Math.max(1, attempts), nextAttemptAt, paidAt: null };
}

/** Whether nobody is asked to pay it any more: it was voided, or given up as uncollectible. */
export const isClosed = ({ status }: InvoiceObject): boolean =>
  status === 'void' || status === 'uncollectible';

function invoiceFacts(object: InvoiceObject, tierOf: TierOfPrice) {
  const lines = linesOfPeriod(object.lines?.data ?? []);
  const prices = lines.map(({ pricing, price }) => idOf(pricing?.price_details?.price ?? price));
  // The invoice's own period precedes the paid one.
  const period = lines.find(({ period: each }) => each !== undefined)?.period;
  return {
    invoiceId: object.id,
    subscriptionId: subscriptionOf(object),
    tier: tierOfAny(prices, tierOf),
    currency: object.currency.toLowerCase(),
    periodStart: timeOf(period?.start ?? object.period_start ?? object.created),
    periodEnd: timeOf(period?.end ?? object.period_end ?? object.created),
  };
}

/** The lines of the paid period, without prorations of an earlier change of plan. If all are prorations, those that cost something. */
function linesOfPeriod(lines: readonly LineObject[]): readonly LineObject[] {
  const regular = lines.filter((line) => !isProration(line));
  const charged = lines.filter(({ amount = 0 }) => amount > 0);
  return [regular, charged].find(({ length }) => length > 0) ?? lines;
}

const isProration = ({ proration, parent }: LineObject): boolean =>
  [proration, parent?.subscription_item_details?.proration, parent?.invoice_item_details?.proration].includes(
    true,
  );
