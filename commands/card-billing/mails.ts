import { exponentOf } from '../../contracts/decimal.ts';
import type { SubscriptionEvent } from '../../contracts/events/subscription.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { byType, type ByType, type DataOf } from '../../domain/kit/decider.ts';
import type { CommandContext } from '../engine/context.ts';
import { queueMail, queueOptionalMail, type MailContent, type OptionalMailPorts } from '../mail/index.ts';

type BillingMail = Extract<
  MailContent,
  { readonly template: 'payment-failed' | 'billing-receipt' | 'billing-renewal-reminder' }
> & { readonly accountId: AccountId };

/** The mails that an event triggers. */
export const billingMailOf = (event: SubscriptionEvent): readonly BillingMail[] => byType(mails, event) ?? [];

const mails: Partial<ByType<SubscriptionEvent, readonly BillingMail[]>> = {
  /** An invoice of zero has no receipt: nothing was paid. */
  InvoicePaid: ({ accountId, paidAt, ...invoice }) => {
    const facts = { ...invoiceFacts(invoice), paid_at: paidAt };
    return invoice.amountCents === 0 ? [] : [{ accountId, template: 'billing-receipt', facts }];
  },
  PaymentFailed: ({ accountId, nextAttemptAt, ...invoice }) => {
    const facts = { ...invoiceFacts(invoice), next_attempt_at: nextAttemptAt ?? 'none' };
    return [{ accountId, template: 'payment-failed', facts }];
  },
  RenewalNear: ({ accountId, tier, renewsAt }) => [
    { accountId, template: 'billing-renewal-reminder', facts: { tier, renews_at: renewsAt } },
  ],
};

const invoiceFacts = ({
  invoiceId,
  tier,
  amountCents,
  currency,
  periodStart,
  periodEnd,
}: Omit<DataOf<SubscriptionEvent, 'InvoicePaid'>, 'accountId' | 'paidAt'>) => ({
  invoice_id: invoiceId,
  tier: tier ?? 'none',
  amount: amountText(amountCents, currency),
  period_starts_at: periodStart,
  period_ends_at: periodEnd,
});

/** `900` of `usd` as `9.00 USD`; of currencies without a smaller unit, the amount as it is. */
function amountText(amountCents: number, currency: string): string {
  const digits = exponentOf(currency);
  const text = String(amountCents).padStart(digits + 1, '0');
  const units = text.slice(0, text.length - digits);
  return `${units}${digits === 0 ? '' : `.${text.slice(-digits)}`} ${currency.toUpperCase()}`;
}

export function queueBillingMail(
  ports: OptionalMailPorts,
  mail: BillingMail,
  context: CommandContext,
): Promise<void> {
  return mail.template === 'payment-failed'
    ? queueMail(ports, mail, context)
    : queueOptionalMail(ports, mail, context);
}
