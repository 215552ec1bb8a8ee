import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import {
  cryptoOrders,
  type CryptoOrder,
  type PlaceOrder,
  type Quote,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { useAnswer } from '../../parts/answer.ts';
import { dueText, moneyText } from '../../parts/amounts.ts';
import { Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Time, shortId } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { OrderStatus } from './order-status.tsx';
import { words } from './strings.ts';

const service = cryptoOrders(connection);

const columns: readonly Column<CryptoOrder>[] = [
  { name: words.order, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { name: words.product, cell: ({ product }) => product },
  { name: words.status, cell: ({ status }) => <OrderStatus status={status} /> },
  {
    name: words.amount,
    cell: ({ price_cents: cents, price_currency: currency }) => moneyText(cents, currency),
  },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const changedBy = ['crypto.order.paid', 'crypto.order.failed'];

/** Paid and open crypto orders. */
export function Orders() {
  return (
    <section>
      <div class="heading">
        <h2>{words.orders}</h2>
        <div class="buttons">
          <Opens label={words.newOrder}>{() => <NewOrder />}</Opens>
        </div>
      </div>
      <List
        name={words.orders}
        read={(asked) => service.list(asked)}
        keyOf={({ id }) => id}
        columns={columns}
        hrefOf={({ id }) => placeOf(id)}
        empty={words.noOrder}
        changedBy={changedBy}
      />
    </section>
  );
}

/** Shows the price first, and then orders exactly what was priced. The order fixes the amount of coins. */
function NewOrder() {
  const { route } = useLocation();
  const product = useSignal('');
  const currency = useSignal('');
  const { ask, answered } = useAnswer<PlaceOrder, Quote>(
    { product: product.value, pay_currency: currency.value },
    (order) => service.quote(order),
  );
  const place = async (order: PlaceOrder) => {
    const { id } = await service.create(order);
    route(addressOf(`/billing/orders/${id}`));
  };
  return (
    <>
      <Form submit={words.quote} onSubmit={ask}>
        <Field label={words.product} value={product} hint={words.productHint} />
        <Field label={words.currency} value={currency} hint={words.currencyHint} />
      </Form>
      {answered && (
        <>
          <p role="status">{quoteText(answered.answer)}</p>
          <Act label={words.place} kind="main" act={() => place(answered.question)} />
        </>
      )}
    </>
  );
}

const quoteText = (quote: Quote): string =>
  filled(words.quoted, {
    amount: dueText(quote.pay_amount, quote),
    price: moneyText(quote.price_cents, quote.price_currency),
  });
