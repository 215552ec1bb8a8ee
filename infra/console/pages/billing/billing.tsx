import { useSignal } from '@preact/signals';
import {
  billing,
  type Billing,
  type CreateCheckoutSession,
  type Invoice,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { moneyText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { Choice, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection, owner } from '../../service.ts';
import { Orders } from './orders.tsx';
import { tiers, words } from './strings.ts';

const service = billing(connection);

const columns: readonly Column<Invoice>[] = [
  { name: words.invoice, cell: ({ id }) => <Id id={id} /> },
  { name: words.amount, cell: ({ amount_cents: cents, currency }) => moneyText(cents, currency) },
  { name: words.status, cell: ({ status }) => status },
  { name: words.period, cell: ({ period_start: from }) => <Time at={from} />, isMinor: true },
  { name: words.paid, cell: ({ paid_at }) => <Time at={paid_at} /> },
];

/** Statuses in which the current period is paid, or a trial. */
const paidStatuses: ReadonlySet<Billing['status']> = new Set(['trialing', 'active']);

function What({ of: { tier, status, current_period_end: until, ...rest } }: { readonly of: Billing }) {
  const end = paidStatuses.has(status) && until && <Time at={until} />;
  return (
    <Facts
      of={[
        [words.tier, tier],
        [words.subscription, status],
        [words.until, end],
        [rest.cancel_at_period_end ? words.ends : words.renews, end],
        [words.card, rest.payment_method && `${rest.payment_method.brand} … ${rest.payment_method.last4}`],
      ]}
    />
  );
}

function Subscribe() {
  const tier = useSignal<string>('personal');
  const go = async () => {
    const { url } = await service.checkout({ tier: tier.value as CreateCheckoutSession['tier'] });
    location.assign(url);
  };
  return (
    <Form submit={words.subscribe} onSubmit={go}>
      <Choice label={words.choose} value={tier} options={tiers} hint={words.subscribeText} />
    </Form>
  );
}

const Portal = () => (
  <Act
    label={words.portal}
    act={async () => {
      const { url } = await service.portal();
      location.assign(url);
    }}
  />
);

/** A payment by somebody who acts for an owner would be for their own account: those routes ignore the owner. */
const isOwn = owner === undefined;

const Pay = ({ of: state }: { readonly of: Billing }) => (
  <>
    {state.status !== 'none' && <Portal />}
    <Subscribe />
  </>
);

/** The account's payments, by card and by crypto. */
export const BillingPage = () => (
  <Page title={words.billing} actions={isOwn && <a href={addressOf('/billing/explain')}>{words.explain}</a>}>
    <Read what="billing" read={() => service.get()}>
      {(state) => (
        <>
          <What of={state} />
          {isOwn ? <Pay of={state} /> : <p>{words.ownerPays}</p>}
          <h2>{words.invoices}</h2>
          {state.invoices.length === 0 ? (
            <p>{words.noInvoice}</p>
          ) : (
            <Table name={words.invoices} items={state.invoices} keyOf={({ id }) => id} columns={columns} />
          )}
        </>
      )}
    </Read>
    {isOwn && <Orders />}
  </Page>
);
