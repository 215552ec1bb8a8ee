import { decimalText } from '../../../contracts/decimal.ts';
import { uuidOf, type OrderId } from '../../../contracts/ids.ts';
import { presentOrder } from '../../../contracts/resources/order.ts';
import { order } from '../../../domain/order/order.ts';
import {
  isPayable,
  type ExistingOrder,
  type PayableOrder,
  type Review,
} from '../../../domain/order/state.ts';
import {
  countToReview,
  ordersFor,
  ordersToReview,
  type OrderFilter,
} from '../../../projections/queries/order.ts';
import { openRows } from '../../personal/text.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { createOrderUpkeep } from '../../../commands/order/upkeep.ts';
import { openCryptoPayments } from '../composition/payments.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';
import { count, idOf } from './parse.ts';

/** `service orders …` */
export function orderCommands(program: ServiceCommand): void {
  const orders = program.command('orders').description('crypto orders');
  orders
    .command('list')
    .description('list orders from the read model, newest first')
    .option('--account <id>', 'only those of this account', idOf('account'))
    .option('--limit <orders>', 'at most this many', count, 50)
    .operates('array', list);
  orders
    .command('review')
    .description(
      'list money that did not pay an order automatically, newest first: late, or of another amount or currency',
    )
    .option('--limit <orders>', 'at most this many', count, 50)
    .operates('array', review);
  orders
    .command('expire')
    .description(
      'expire an order that is pending or partly paid, after the processor was asked about its payments',
    )
    .argument('<order>', 'ord_<uuid>', idOf('order'))
    .option(
      '--without-asking',
      'do not ask the processor, such as one that was removed from the configuration',
    )
    .operates('object', expire);
}

/** The owner's view without the picture, with findings to review. */
function summaryOf(state: PayableOrder) {
  const { qr_svg: _, ...shown } = presentOrder(state, () => '');
  return { ...shown, account_id: state.accountId, reviews: state.reviews.map(reviewOf) };
}

/** The same without the fields of a payment if the order was never shown to its customer. */
const reviewedOf = (state: ExistingOrder) => (isPayable(state) ? summaryOf(state) : unseenOf(state));

const unseenOf = (state: ExistingOrder) => ({
  ...{ id: state.orderId, status: state.status, product: state.product },
  ...{ price_cents: state.priceCents, price_currency: state.priceCurrency, payment_id: null },
  ...{ expires_at: state.expiresAt, created_at: state.createdAt },
  ...{ account_id: state.accountId, reviews: state.reviews.map(reviewOf) },
});

const reviewOf = (found: Review) => ({
  payment_id: found.paymentId,
  reason: found.reason,
  processor_status: found.processorStatus,
  pay_currency: found.payCurrency,
  amount_paid: found.amountPaid,
  pay_exponent: found.payExponent,
  at: found.at,
});

const paidOf = (units: string | null, exponent: number, currency: string): string =>
  units === null ? '-' : `${decimalText(units, exponent)} ${currency}`;

const list = async ({ pool, vault }: Operator, filter: OrderFilter): Promise<Answer> =>
  listAnswer(
    (await openRows(vault, await ordersFor(pool, filter))).map(summaryOf),
    'There is no such order.',
    {
      order: 'id',
      account: 'account_id',
      status: 'status',
      product: 'product',
      cents: 'price_cents',
      due: (row) => paidOf(row.pay_amount, row.pay_exponent, row.pay_currency),
      paid: (row) => paidOf(row.amount_paid, row.pay_exponent, row.pay_currency),
      reason: 'failure_reason',
      'to review': (row) => row.reviews.length,
      created: 'created_at',
    },
  );

async function review({ pool, vault }: Operator, { limit }: { readonly limit: number }): Promise<Answer> {
  const value = (await openRows(vault, await ordersToReview(pool, limit))).map(reviewedOf);
  const more = (await countToReview(pool)) - value.length;
  const found = value.flatMap(({ reviews, ...order }) =>
    reviews.toReversed().map((each) => ({ order, ...each })),
  );
  const { lines } = listAnswer(found, 'There is nothing to review.', {
    order: ({ order: { id } }) => id,
    account: ({ order: { account_id } }) => account_id,
    status: ({ order: { status } }) => status,
    payment: 'payment_id',
    why: 'reason',
    'processor says': 'processor_status',
    paid: (row) => paidOf(row.amount_paid, row.pay_exponent, row.pay_currency),
    at: 'at',
  });
  return { value, lines, hint: more > 0 ? `${more} more: use --limit.` : undefined };
}

interface ExpireOptions {
  readonly withoutAsking?: boolean;
}

async function expire(
  operator: Operator,
  id: OrderId,
  { withoutAsking = false }: ExpireOptions,
): Promise<Answer> {
  const { config, runner, context, awaitInReads } = operator;
  const payments = withoutAsking ? undefined : openCryptoPayments(config);
  if (payments === undefined && !withoutAsking)
    throw new Error(
      'The processor cannot be asked without CRYPTO_API_KEY and CRYPTO_IPN_SECRET: set both. With --without-asking the order expires even if it was paid.',
    );
  const position = await createOrderUpkeep({ clock, runner, payments }).end(id, 'operator', context);
  const { state } = await runner.load(order, uuidOf(id));
  if (!isPayable(state)) throw new Error(`${id} was withdrawn before anybody was asked to pay it.`);
  await awaitInReads(state.accountId, position);
  const value = summaryOf(state);
  return { value, lines: [`${id} is ${state.status}.`] };
}
