import { dayMs } from '../contracts/durations.ts';
import {
  subscriptionEvents,
  type DescribedInvoice,
  type DescribedSubscription,
  type SubscriptionEvent,
  type SubscriptionStatus,
} from '../contracts/events/subscription.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { highestOf, type Tier } from '../contracts/tiers.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { after } from './kit/time.ts';

type Changed = DataOf<SubscriptionEvent, 'SubscriptionChanged'>;
type Paid = DataOf<SubscriptionEvent, 'InvoicePaid'>;
type Failed = DataOf<SubscriptionEvent, 'PaymentFailed'>;
type Closed = DataOf<SubscriptionEvent, 'InvoiceClosed'>;

export interface CardInvoice extends Readonly<Omit<Paid, 'accountId' | 'paidAt' | 'at'>> {
  /** Null: unpaid. */
  readonly paidAt: string | null;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** When it was found voided or given up; absent otherwise. */
  readonly closedAt?: string;
}

export interface CardCustomer {
  readonly status: 'customer';
  readonly accountId: AccountId;
  readonly customerId: string;
  /** Number of recorded changes: the version that a query to the processor was based on. */
  readonly changes: number;
  readonly subscriptions: Readonly<Partial<Record<string, DescribedSubscription>>>;
  /**
   * By subscription, the time as of which its state is known: that of the callback with the state, or of the query to
   * the processor.
   */
  readonly knownAt: Readonly<Partial<Record<string, string>>>;
  /** The end of the period for which a subscription's renewal was last announced, by subscription. */
  readonly announced: Readonly<Partial<Record<string, string>>>;
  /** When the next announcement is due, by subscription. */
  readonly remindAt: Readonly<Partial<Record<string, string | null>>>;
  readonly invoices: Readonly<Partial<Record<string, CardInvoice>>>;
}
export type CardBilling = { readonly status: 'none' } | CardCustomer;

export type SubscriptionCommand = CommandsOf<{
  /** The first customer of an account stays its customer. */
  LinkCustomer: { accountId: AccountId; customerId: string };
  NoteCheckout: { tier: Tier; expiresAt: string };
  NotePortal: { expiresAt: string };
  /**
   * Records the processor's answer. `basedOn`: the number of recorded changes before the query. If there are more by
   * now, another answer may be the newer one: this one is refused with `conflict`, and the processor is queried
   * again. A subscription that the processor does not know is taken from its latest callback, made at `saidAt`.
   */
  RecordAnswer: {
    basedOn: number;
    subscriptions: readonly (DescribedSubscription & { readonly saidAt?: string })[];
    invoices: readonly DescribedInvoice[];
    /** Ids of those that were voided or given up. */
    closedInvoices: readonly string[];
  };
  RemindOfRenewal: { subscriptionId: string };
}>;

/** Statuses that entitle to a tier. `past_due` keeps it while the processor retries the card. */
const entitling: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due'];
const isRunning = ({ status }: DescribedSubscription): boolean => entitling.includes(status);
const isEntitling = (each: DescribedSubscription): boolean => each.tier !== null && isRunning(each);

/** How long before its end the renewal of a period is announced. */
const noticeMs = 7 * dayMs;

const rules: Rules<CardBilling, SubscriptionCommand, SubscriptionEvent> = {
  LinkCustomer: (state, { type: _, ...data }) =>
    state.status === 'customer' ? [] : [{ type: 'CardCustomerCreated', data }],
  NoteCheckout: (state, { type: _, ...data }) => [
    { type: 'CheckoutOpened', data: { accountId: customerOf(state).accountId, ...data } },
  ],
  NotePortal: (state, { type: _, ...data }) => [
    { type: 'PortalOpened', data: { accountId: customerOf(state).accountId, ...data } },
  ],
  RecordAnswer(state, { basedOn, subscriptions, invoices, closedInvoices, at }) {
    const customer = customerOf(state);
    if (customer.changes !== basedOn)
      throw refuse('conflict', 'The subscription changed in the meantime. Send the request again.');
    return [
      ...subscriptions.flatMap((each) => changeOf(customer, each, at)),
      ...invoices.flatMap((each) => chargeOf(customer, each, at)),
      ...closedInvoices.flatMap((each) => closingOf(customer, each, at)),
    ];
  },
  /** At most once per period, and not before it is due. */
  RemindOfRenewal(state, { subscriptionId, at }) {
    if (state.status === 'none') return [];
    const { accountId, subscriptions, remindAt } = state;
    const { tier, currentPeriodEnd: renewsAt } = subscriptions[subscriptionId] ?? {};
    const dueAt = remindAt[subscriptionId];
    if (!dueAt || !tier || !renewsAt || at < dueAt) return [];
    return [{ type: 'RenewalNear', data: { accountId, subscriptionId, tier, renewsAt, at } }];
  },
};

/** The card processor's view of an account: its customer, subscriptions and invoices. */
export const subscription: Decider<CardBilling, SubscriptionCommand, SubscriptionEvent> = {
  category: subscriptionEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
};

function customerOf(state: CardBilling): CardCustomer {
  if (state.status === 'none') throw refuse('not-found');
  return state;
}

function changeOf(
  { accountId, subscriptions, knownAt, announced }: CardCustomer,
  described: DescribedSubscription & { readonly saidAt?: string },
  at: string,
): readonly SubscriptionEvent[] {
  const { subscriptionId, saidAt } = described;
  const known = subscriptions[subscriptionId];
  const age = saidAt?.localeCompare(knownAt[subscriptionId] ?? '') ?? 0;
  if (age < 0) return [];
  // A later callback is recorded even if nothing changed, so that an earlier one is ignored if it arrives after it.
  if (known && age === 0 && sameFacts(known, described)) return [];
  const remindAt = announced[subscriptionId] === described.currentPeriodEnd ? null : noticeOf(described);
  return [{ type: 'SubscriptionChanged', data: { accountId, ...described, remindAt, at } }];
}

/** When to announce its renewal; null if it ends with its period, or if the period is shorter than the notice. */
function noticeOf(described: DescribedSubscription): string | null {
  const { currentPeriodStart: start, currentPeriodEnd: end, cancelAtPeriodEnd } = described;
  if (!isEntitling(described) || cancelAtPeriodEnd || end === null) return null;
  const dueAt = after(end, -noticeMs);
  return start !== null && dueAt < start ? null : dueAt;
}

function chargeOf(
  { accountId, invoices }: CardCustomer,
  described: DescribedInvoice,
  at: string,
): readonly SubscriptionEvent[] {
  const known = invoices[described.invoiceId];
  if (known && known.paidAt !== null) return [];
  if (described.paidAt !== null) return [{ type: 'InvoicePaid', data: { accountId, ...described, at } }];
  const { paidAt: _, ...failed } = described;
  if (isClosed(known) || failed.attempt <= (known?.attempts ?? 0)) return [];
  return [{ type: 'PaymentFailed', data: { accountId, ...failed, at } }];
}

const isClosed = (invoice: CardInvoice | undefined): boolean => invoice?.closedAt !== undefined;

/** An invoice that is not known, or paid, is not closed. */
function closingOf(
  { accountId, invoices }: CardCustomer,
  invoiceId: string,
  at: string,
): readonly SubscriptionEvent[] {
  const known = invoices[invoiceId];
  if (known === undefined || known.paidAt !== null || isClosed(known)) return [];
  return [{ type: 'InvoiceClosed', data: { accountId, invoiceId, at } }];
}

/** Timestamps of callbacks have a resolution of a second. */
const wholeSecond = (at: string): string => new Date(Math.floor(Date.parse(at) / 1000) * 1000).toISOString();

const sameFacts = (a: DescribedSubscription, b: DescribedSubscription): boolean =>
  JSON.stringify(factsOf(a)) === JSON.stringify(factsOf(b));

/** The compared fields in a fixed order. */
const factsOf = (each: DescribedSubscription) => [
  each.tier,
  each.status,
  each.currentPeriodStart,
  each.currentPeriodEnd,
  each.cancelAtPeriodEnd,
  each.paymentMethod?.brand,
  each.paymentMethod?.last4,
];

function evolve(state: CardBilling, { type, data }: SubscriptionEvent): CardBilling {
  if (type === 'CardCustomerCreated' && state.status === 'none') {
    const { accountId, customerId } = data;
    const empty = { changes: 0, subscriptions: {}, knownAt: {}, announced: {}, remindAt: {}, invoices: {} };
    return { status: 'customer', accountId, customerId, ...empty };
  }
  if (state.status === 'none') return state;
  switch (type) {
    case 'CardCustomerCreated':
    case 'CheckoutOpened':
    case 'PortalOpened':
      return state;
    case 'SubscriptionChanged':
      return changed(state, data);
    case 'RenewalNear':
      return {
        ...state,
        announced: { ...state.announced, [data.subscriptionId]: data.renewsAt },
        remindAt: { ...state.remindAt, [data.subscriptionId]: null },
      };
    case 'InvoicePaid':
    case 'PaymentFailed':
      return { ...state, invoices: { ...state.invoices, [data.invoiceId]: charged(state, type, data) } };
    case 'InvoiceClosed':
      return closed(state, data);
  }
}

function changed(
  state: CardCustomer,
  { accountId: _, at, remindAt, saidAt, ...described }: Changed,
): CardCustomer {
  const { subscriptionId } = described;
  return {
    ...state,
    changes: state.changes + 1,
    subscriptions: { ...state.subscriptions, [subscriptionId]: described },
    knownAt: { ...state.knownAt, [subscriptionId]: saidAt ?? wholeSecond(at) },
    remindAt: { ...state.remindAt, [subscriptionId]: remindAt },
  };
}

function charged(
  state: CardCustomer,
  type: 'InvoicePaid' | 'PaymentFailed',
  data: Paid | Failed,
): CardInvoice {
  const { invoiceId, subscriptionId, tier, amountCents, currency, periodStart, periodEnd } = data;
  const attempts = state.invoices[invoiceId]?.attempts ?? 0;
  return {
    ...{ invoiceId, subscriptionId, tier, amountCents, currency, periodStart, periodEnd },
    paidAt: 'paidAt' in data ? data.paidAt : null,
    attempts: 'attempt' in data ? data.attempt : attempts,
  };
}

function closed(state: CardCustomer, { invoiceId, at: closedAt }: Closed): CardCustomer {
  const known = state.invoices[invoiceId];
  return known === undefined
    ? state
    : { ...state, invoices: { ...state.invoices, [invoiceId]: { ...known, closedAt } } };
}

const present = <T>(record: Readonly<Partial<Record<string, T>>>): T[] =>
  Object.values(record).flatMap((each) => (each === undefined ? [] : [each]));

/** The tier given by the account's subscriptions; null: none. */
export function tierByCard(state: CardBilling): Tier | null {
  if (state.status === 'none') return null;
  const given = present(state.subscriptions).flatMap((each) =>
    isEntitling(each) && each.tier !== null ? [each.tier] : [],
  );
  return given.length === 0 ? null : highestOf(given);
}

/** The account's subscription that gives its tier, else the latest; undefined: none. */
export function mainSubscription(state: CardBilling): DescribedSubscription | undefined {
  if (state.status === 'none') return undefined;
  const tier = tierByCard(state);
  const rank = (each: DescribedSubscription) => Number(isEntitling(each) && each.tier === tier);
  return present(state.subscriptions).toSorted(
    (a, b) => rank(b) - rank(a) || b.createdAt.localeCompare(a.createdAt),
  )[0];
}

/** The account's subscription that gives its tier; undefined: none does. */
export const entitlingSubscription = (state: CardBilling): DescribedSubscription | undefined =>
  tierByCard(state) === null ? undefined : mainSubscription(state);

/** Those that are charged again at the end of their period, also for a price that gives no tier here. */
export const renewingSubscriptions = (state: CardBilling): readonly DescribedSubscription[] =>
  state.status === 'none'
    ? []
    : present(state.subscriptions).filter((each) => isRunning(each) && !each.cancelAtPeriodEnd);

/** Those that are paid, or can be expected to be: without closed ones. */
export const invoicesOf = (state: CardBilling): readonly CardInvoice[] =>
  state.status === 'none' ? [] : present(state.invoices).filter((each) => !isClosed(each));
