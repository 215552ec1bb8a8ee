import { tierName, type TemplatesOf } from './types.ts';

/** A currency's amount reads as `9.00 USD`. */
type InvoiceFacts = Readonly<
  Record<'invoice_id' | 'tier' | 'amount' | 'period_starts_at' | 'period_ends_at', string>
>;

const rowsOf = ({ invoice_id, tier, amount, period_starts_at, period_ends_at }: InvoiceFacts) =>
  [
    ['Tier', tierName(tier)],
    ['Amount', amount],
    ['From', period_starts_at],
    ['To', period_ends_at],
    ['Invoice', invoice_id],
  ] as const;

const billing = { requests: ['GET /v1/billing'] };
const portal = { requests: ['POST /v1/billing/portal-session'] };

/** Mails about a subscription that is paid by card. */
export const billingTemplates: TemplatesOf<
  'payment-failed' | 'billing-receipt' | 'billing-renewal-reminder'
> = {
  'payment-failed': ({ next_attempt_at, ...invoice }) => ({
    subject: 'Your payment failed',
    preheader: `${invoice.amount} could not be charged to your card.`,
    blocks: [
      `${invoice.amount} could not be charged to your card.`,
      { rows: [...rowsOf(invoice), ['Next attempt', next_attempt_at]] },
      'To pay with another card, open the page where you manage your subscription:',
      portal,
      'Your tier stays as it is while there are more attempts, and ends after the last one.',
    ],
  }),
  'billing-receipt': ({ paid_at, ...invoice }) => ({
    subject: `Receipt for ${invoice.amount}`,
    preheader: `Your payment for ${tierName(invoice.tier)} has arrived.`,
    blocks: [
      'Your payment has arrived. Thank you.',
      { rows: [...rowsOf(invoice), ['Paid', paid_at]] },
      'All your invoices:',
      billing,
    ],
  }),
  'billing-renewal-reminder': ({ tier, renews_at }) => ({
    subject: `Your subscription to ${tierName(tier)} renews soon`,
    preheader: `It renews on ${renews_at}.`,
    blocks: [
      'Your subscription renews soon, and your card is charged then.',
      {
        rows: [
          ['Tier', tierName(tier)],
          ['Renews', renews_at],
        ],
      },
      'There is nothing to do if you want to keep it. To change or to cancel it, open the page where you manage it:',
      portal,
    ],
  }),
};
