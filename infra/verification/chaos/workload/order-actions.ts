import { decimalText, isAtLeast, parseDecimal } from '../../../../contracts/decimal.ts';
import type { StoredPayment } from '../../testbed/index.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { Call } from './client.ts';
import { openCalls, type Action, type CryptoBill, type Player } from './player.ts';

const products = ['api_starter_month', 'api_builder_month', 'api_scale_month'];
const currencies = ['btc', 'eth', 'ltc', 'usdttrc20', 'shib'];
/** How many recent orders a player continues with: some have ended. */
const KEPT = 4;

const learn = (player: Player, exchange: Exchange): Exchange => {
  const [order, payment] = [answered(exchange, 'id'), answered(exchange, 'payment_id')];
  const isNew = !player.bills.some((bill) => bill.payment === payment);
  if (exchange.answer.kind === 'done' && typeof order === 'string' && typeof payment === 'string' && isNew)
    player.bills.push({ order, payment });
  return exchange;
};

const place = async (player: Player, call: Call): Promise<Exchange> =>
  learn(player, await player.client.call(call));

const placing = (random: Random): Call => {
  const key = `order-${random.between(1, 1_000_000_000)}`;
  const body = { product: random.pick(products), pay_currency: random.pick(currencies) };
  return { action: 'place-order', target: 'POST /v1/billing/crypto-checkout', body, key };
};

/** Acts on a payment that an order's customer was once asked for; does nothing if there is none. */
const onBill =
  (act: (player: Player, bill: CryptoBill, random: Random) => unknown): Action =>
  async (player, random) => {
    const bills = player.bills.slice(-KEPT);
    if (bills.length > 0) await act(player, random.pick(bills), random);
  };

const change = async (player: Player, { order }: CryptoBill, random: Random): Promise<Exchange> =>
  learn(
    player,
    await player.client.call({
      action: 'change-order',
      target: `PATCH /v1/billing/crypto-orders/${order}`,
      body: { pay_currency: random.pick(currencies) },
    }),
  );

const cancel = ({ client }: Player, { order }: CryptoBill): Promise<Exchange> =>
  client.call({ action: 'cancel-order', target: `POST /v1/billing/crypto-orders/${order}/cancel` });

/** A part or a multiple of an amount. */
function times(amount: string, numerator: bigint, denominator = 1n): string {
  const { units, exponent } = parseDecimal(amount) ?? { units: 0n, exponent: 0 };
  return decimalText((units * numerator) / denominator, exponent);
}

type Changes = (payment: StoredPayment) => Partial<StoredPayment>;

const seen: Changes = ({ pay_amount }) => ({ payment_status: 'confirming', actually_paid: pay_amount });
const finished: Changes = ({ pay_amount }) => ({ payment_status: 'finished', actually_paid: pay_amount });
const half: Changes = ({ pay_amount }) => ({
  payment_status: 'partially_paid',
  actually_paid: times(pay_amount, 1n, 2n),
});
const twice: Changes = ({ pay_amount }) => ({
  payment_status: 'finished',
  actually_paid: times(pay_amount, 2n),
});

/** In the processor's books, the amount that a payment has received never decreases. */
const isLess = (amount: string | undefined, seen: string): boolean =>
  amount !== undefined && !isAtLeast(amount, seen);

/** Consecutive states of a payment in the processor's books. Afterwards only its amount grows. */
const pay =
  (...steps: readonly Changes[]): Action =>
  (player, random) =>
    onBill(({ world: { payments } }, { payment: id }) => {
      for (const [index, step] of steps.entries()) {
        const payment = payments.crypto.payments.get(id);
        if (payment === undefined) return;
        const isOver = ['finished', 'failed', 'expired'].includes(payment.payment_status);
        if (isOver && (step !== twice || payment.payment_status !== 'finished')) return;
        const next = step(payment);
        if (isLess(next.actually_paid, payment.actually_paid)) return;
        payments.atCrypto(random.of(`step ${index}`), id, next);
      }
    })(player, random);

export const orderActions = {
  'place an order': (player, random) => place(player, placing(random)),
  'place an order twice at once': async (player, random) => {
    const call = placing(random);
    await Promise.all([place(player, call), place(player, call)]);
  },
  'place an order again': async (player, random) => {
    const open = openCalls(player, 'place-order');
    if (open.length > 0) await place(player, random.pick(open));
  },
  'pay an order in another currency': onBill(change),
  'cancel an order': onBill(cancel),
  'cancel an order while it is paid': (player, random) =>
    Promise.all([onBill(cancel)(player, random), pay(seen, finished)(player, random.of('payer'))]).then(
      () => undefined,
    ),
  'pay an order': pay(seen, finished),
  'pay an order at once': pay(finished),
  'pay half of an order': pay(half),
  'pay an order twice over': pay(twice),
  'begin to pay an order': pay(seen),
  'a payment fails': pay(() => ({ payment_status: 'failed' })),
  'the processor gives a payment up': pay(({ actually_paid }) => ({
    payment_status: actually_paid === '0' ? 'expired' : 'finished',
  })),
  'the processor calls back once more': async ({ world: { payments } }, random) => {
    const known = [...payments.crypto.payments.keys()].slice(-KEPT);
    if (known.length > 0) payments.atCrypto(random, random.pick(known), {});
  },
  'list orders': (player) =>
    player.client.call({ action: 'list-orders', target: 'GET /v1/billing/crypto-orders?limit=5' }),
} as const satisfies Readonly<Record<string, Action>>;
