import type { Tier } from '../../../../contracts/tiers.ts';
import type { CardStandIn, StoredPayment } from '../../testbed/index.ts';
import { tierOfPrice, type Payments, type SentCallback } from '../world/payments.ts';

/** The processors' books, and the callbacks they sent. */
export interface PaymentEvidence {
  readonly customers: readonly { readonly id: string; readonly account: string }[];
  readonly subscriptions: readonly {
    readonly account: string;
    readonly tier: Tier;
    readonly status: string;
  }[];
  readonly invoices: readonly {
    readonly id: string;
    readonly account: string;
    readonly status: string | null;
    /** The paid amount. */
    readonly cents: number;
  }[];
  readonly crypto: readonly StoredPayment[];
  /** The last state that the processor returned of each payment, by id. */
  readonly answered: Readonly<Record<string, StoredPayment>>;
  readonly callbacks: readonly SentCallback[];
}

export function booksOf({ cards, crypto, callbacks }: Payments): PaymentEvidence {
  const { ledger } = cards;
  const accountOf = (customer: string): string => ledger.customers.get(customer)?.metadata.account_id ?? '';
  return {
    customers: [...ledger.customers.keys()].map((id) => ({ id, account: accountOf(id) })),
    subscriptions: [...ledger.subscriptions.values()].map((each) => ({
      account: accountOf(each.customer),
      tier: tierOf(each),
      status: each.status,
    })),
    invoices: [...ledger.invoices.values()].map(({ id, customer, status, amount_paid }) => ({
      ...{ id, account: accountOf(customer), status, cents: amount_paid },
    })),
    crypto: [...crypto.payments.values()],
    answered: Object.fromEntries(crypto.answered),
    callbacks,
  };
}

type Subscription = NonNullable<ReturnType<CardStandIn['ledger']['subscriptions']['get']>>;

const tierOf = ({ items }: Subscription): Tier => tierOfPrice[items.data[0]?.price.id ?? ''] ?? 'free';
