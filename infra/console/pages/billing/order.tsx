import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { cryptoOrders, type CryptoOrder } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { coinsText, dueText, moneyText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, durationText } from '../../parts/record.tsx';
import { save } from '../../parts/save.ts';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { OrderStatus } from './order-status.tsx';
import { words } from './strings.ts';

const service = cryptoOrders(connection);
const changedBy = ['crypto.order.paid', 'crypto.order.failed'];

/** One order: amount, payment address and deadline; the receipt once it is paid. */
export function OrderPage() {
  const { id = '' } = useRoute().params;
  return (
    <Read what={id} read={() => service.get(id)} changedBy={changedBy} everyMs={5_000}>
      {(order) => (
        <Page title={order.product} actions={<Changes of={order} />}>
          {isOpen(order) && <Payment of={order} />}
          <What of={order} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const isOpen = ({ status }: CryptoOrder): boolean => status === 'pending' || status === 'partially_paid';

function Changes({ of: { id, status } }: { readonly of: CryptoOrder }) {
  if (status === 'paid')
    return (
      <>
        <Act
          label={words.receipt}
          act={async () => save(`${id}.pdf`, 'application/pdf', new Uint8Array(await service.receiptPdf(id)))}
        />
        <Act
          label={words.receiptText}
          act={async () => save(`${id}.txt`, 'text/plain', await service.receiptText(id))}
        />
      </>
    );
  if (status !== 'pending') return null;
  const question = { title: words.cancelTitle, text: words.cancelText, confirm: words.cancel };
  return (
    <Act
      label={words.cancel}
      kind="danger"
      question={question}
      act={async () => void (await service.cancel(id))}
    />
  );
}

function Payment({ of: order }: { readonly of: CryptoOrder }) {
  const amount = dueText(order.amount_missing ?? order.pay_amount, order);
  return (
    <section>
      <h2>{filled(words.pay, { amount })}</h2>
      <img
        class="qr"
        alt={words.code}
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(order.qr_svg)}`}
      />
      <p>
        <a href={order.payment_uri}>
          <code>{order.pay_address}</code>
        </a>{' '}
        <Copy text={order.pay_address} of={words.address} />
      </p>
      {order.pay_memo !== null && (
        <p>
          {`${words.memo}: `}
          <code>{order.pay_memo}</code> <Copy text={order.pay_memo} of={words.memo} />
        </p>
      )}
      <Countdown to={order.expires_at} />
    </section>
  );
}

function Countdown({ to }: { readonly to: string }) {
  const left = useSignal(Date.parse(to) - Date.now());
  useEffect(() => {
    const timer = setInterval(() => (left.value = Date.parse(to) - Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [to]);
  return <p>{`${words.left}: ${durationText(Math.max(left.value, 0))}`}</p>;
}

const What = ({ of: order }: { readonly of: CryptoOrder }) => (
  <Facts
    of={[
      [words.order, <Id id={order.id} isHere />],
      [words.status, <OrderStatus status={order.status} />],
      [words.amount, moneyText(order.price_cents, order.price_currency)],
      [words.arrived, coinsText(order.amount_paid, order)],
      [words.missing, order.amount_missing && dueText(order.amount_missing, order)],
      [words.created, <Time at={order.created_at} />],
      [words.expires, isOpen(order) && <Time at={order.expires_at} />],
      [words.paid, order.paid_at && <Time at={order.paid_at} />],
      [words.failure, order.failure_reason && words.failures[order.failure_reason]],
    ]}
  />
);
