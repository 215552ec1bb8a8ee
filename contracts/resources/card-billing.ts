import { PaymentMethod, subscriptionStatuses } from '../events/subscription.ts';
import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { tiers, type Tier } from '../tiers.ts';

export const CreateCheckoutSession = requestBody({ tier: oneOf(tiers) });
export const CreatePortalSession = requestBody({});

/** A page of the card processor. Its URL is a bearer credential until it expires. */
export const CardPage = closed({ url: Type.String(), expires_at: Timestamp });
export type CardPage = Static<typeof CardPage>;

export const Invoice = closed({
  id: Type.String(),
  /** `open`: its payment failed. One that was voided or given up is not shown. */
  status: oneOf(['paid', 'open']),
  amount_cents: Type.Integer({ minimum: 0 }),
  currency: Type.String(),
  tier: nullable(oneOf(tiers)),
  period_start: Timestamp,
  period_end: Timestamp,
  paid_at: nullable(Timestamp),
});
export type Invoice = Static<typeof Invoice>;

/** Maximum number of invoices shown. */
export const shownInvoices = 10;

export const Billing = closed({
  /** The account's tier, from any source. */
  tier: oneOf(tiers),
  /** Status of the card subscription; `none` without one. */
  status: oneOf(['none', ...subscriptionStatuses]),
  current_period_end: nullable(Timestamp),
  cancel_at_period_end: Type.Boolean(),
  payment_method: nullable(PaymentMethod),
  /** The latest paid and open invoices, by end of period. */
  invoices: Type.Array(Invoice, { maxItems: shownInvoices }),
});
export type Billing = Static<typeof Billing>;

/** The recorded state of an account's card billing. */
export interface KnownBilling {
  readonly subscription?: {
    readonly status: (typeof subscriptionStatuses)[number];
    readonly currentPeriodEnd: string | null;
    readonly cancelAtPeriodEnd: boolean;
    readonly paymentMethod: PaymentMethod | null;
  };
  readonly invoices: readonly {
    readonly invoiceId: string;
    readonly amountCents: number;
    readonly currency: string;
    readonly tier: Tier | null;
    readonly periodStart: string;
    readonly periodEnd: string;
    readonly paidAt: string | null;
  }[];
}

export const presentBilling = (tier: Tier, { subscription, invoices }: KnownBilling): Billing => ({
  tier,
  status: subscription?.status ?? 'none',
  current_period_end: subscription?.currentPeriodEnd ?? null,
  cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? false,
  payment_method: subscription?.paymentMethod ?? null,
  invoices: invoices
    .toSorted((a, b) => b.periodEnd.localeCompare(a.periodEnd) || b.invoiceId.localeCompare(a.invoiceId))
    .slice(0, shownInvoices)
    .map(presentInvoice),
});

const presentInvoice = (invoice: KnownBilling['invoices'][number]): Invoice => ({
  id: invoice.invoiceId,
  status: invoice.paidAt === null ? 'open' : 'paid',
  amount_cents: invoice.amountCents,
  currency: invoice.currency,
  tier: invoice.tier,
  period_start: invoice.periodStart,
  period_end: invoice.periodEnd,
  paid_at: invoice.paidAt,
});
