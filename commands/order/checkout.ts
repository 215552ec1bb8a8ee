import { coinExponent } from '../../contracts/crypto-currencies.ts';
import { unitsIn } from '../../contracts/decimal.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { uuidOf, type OrderId } from '../../contracts/ids.ts';
import type { ProcessorPayment } from '../../contracts/processor-payment.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { PlaceOrder, Quote } from '../../contracts/resources/order.ts';
import { order, type OrderCommand } from '../../domain/order/order.ts';
import { isAwaitedPayment } from '../../domain/order/observe.ts';
import { isPayable, isPlaced, type Order, type PayableOrder } from '../../domain/order/state.ts';
import { after } from '../../domain/kit/time.ts';
import { PaymentsRefused, paymentsTimeoutMs, type PaymentOrder } from '../../infra/crypto-payments/port.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { findOwned } from '../engine/find-owned.ts';
import { now, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import type { Outcome } from '../receipt/index.ts';
import { configured, type CheckoutPorts, type OrderPorts, type Product } from './ports.ts';

/** Validity of an estimate in milliseconds; the amount is fixed at the checkout. */
const quoteMs = 600_000;

/** Lease in milliseconds within which a requested payment may still be recorded by its own request. */
const requestLeaseMs = paymentsTimeoutMs + 1000;

export interface Changed {
  readonly order: PayableOrder;
  readonly position: Position | undefined;
}

export function productOf({ products }: Pick<CheckoutPorts, 'products'>, name: string): Product {
  const product = Object.hasOwn(products, name) ? products[name] : undefined;
  if (product !== undefined) return product;
  const names = Object.keys(products).join(', ');
  throw invalid({ path: '/body/product', code: 'enum', message: `must be one of ${names}` });
}

const unknownCurrency = (): Refusal =>
  invalid({
    path: '/body/pay_currency',
    code: 'enum',
    message: 'must be a currency that the processor accepts for this price',
  });

/** Runs a request to the processor. Reports its refusal as one of the currency, because the price is the service's. */
async function inCurrency<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PaymentsRefused ? unknownCurrency() : error;
  }
}

export async function quote(ports: CheckoutPorts, { product, pay_currency }: PlaceOrder): Promise<Quote> {
  const payments = configured(ports);
  const { cents } = productOf(ports, product);
  const amount = await inCurrency(payments.estimate(cents, pay_currency));
  const exponent = Math.max(coinExponent(pay_currency), amount.exponent);
  return {
    ...{ product, price_cents: cents, price_currency: 'usd', pay_currency },
    ...{ pay_amount: String(unitsIn(amount, exponent)), pay_exponent: exponent },
    quote_expires_at: after(now(ports), quoteMs),
  };
}

/** An order of the account with a requested payment. */
export async function find({ runner }: OrderPorts, { accountId }: Caller, id: string): Promise<PayableOrder> {
  const found = await findOwned(runner, order, 'order', accountId, id);
  if (!isPayable(found)) throw refuse('not-found');
  return found;
}

/**
 * Records an order, has the processor create its payment, and records that.
 *
 * After a crash or a lost reply in between, the order has no recorded payment. The processor knows payments by the order's id, so
 * the next request with the same key finds it there (`outcome`), as do its first callback and the end of the order's window.
 */
export async function place(
  ports: CheckoutPorts,
  caller: Caller,
  orderId: OrderId,
  { product: name, pay_currency: payCurrency }: PlaceOrder,
): Promise<Changed> {
  const { cents: priceCents, tier, days } = productOf(ports, name);
  const { accountId, context } = caller;
  const at = now(ports);
  const placed: OrderCommand = {
    type: 'PlaceOrder',
    ...{ orderId, accountId, product: name, priceCents, priceCurrency: 'usd', tier, days, payCurrency },
    ...{ expiresAt: after(at, ports.windowMs), sweepAt: after(at, ports.sweepAfterMs), at },
  };
  await ports.runner.run(order, uuidOf(orderId), placed, stepContext(context, 'place'), { create: true });
  return obtain(ports, { orderId, attempt: 1, priceCents, payCurrency }, context);
}

/** Creates a payment at the processor. Repeated for the same attempt, its idempotency key returns the same one. */
async function obtain(ports: OrderPorts, asked: PaymentOrder, context: CommandContext): Promise<Changed> {
  try {
    return await record(ports, asked, await configured(ports).create(asked), context);
  } catch (error) {
    if (!(error instanceof PaymentsRefused)) throw error;
    const command = { type: 'WithdrawOrder', at: now(ports) } as const;
    const step = stepContext(context, `withdraw ${asked.orderId}`);
    await ports.runner.run(order, uuidOf(asked.orderId), command, step);
    throw unknownCurrency();
  }
}

async function record(
  { runner, ...ports }: OrderPorts,
  { orderId, attempt }: Pick<PaymentOrder, 'orderId' | 'attempt'>,
  payment: ProcessorPayment,
  context: CommandContext,
): Promise<Changed> {
  const command = { type: 'RecordPayment', attempt, payment, at: now(ports) } as const;
  const step = stepContext(context, `record ${orderId} ${attempt}`);
  const { state, position } = await runner.run(order, uuidOf(orderId), command, step);
  return { order: payable(state), position };
}

const endedUnseen = (): Refusal => refuse('conflict', 'The order ended before its payment was created.');

function payable(state: Order): PayableOrder {
  if (isPayable(state)) return state;
  throw endedUnseen();
}

/** The processor's payment for an attempt that was not recorded, if there is one. */
async function lookUp(ports: OrderPorts, state: Order): Promise<ProcessorPayment | undefined> {
  if (!isPlaced(state) || state.requested === null) return undefined;
  return (await configured(ports).ofOrder(state.orderId)).find((payment) => isAwaitedPayment(state, payment));
}

/** The outcome of an order placed under an idempotency key; completes it if its request crashed. */
export async function outcome(
  ports: OrderPorts,
  { context }: Caller,
  orderId: OrderId,
): Promise<Outcome<PayableOrder>> {
  const { state } = await ports.runner.load(order, uuidOf(orderId));
  if (!isPlaced(state)) return { kind: 'absent' };
  if (isPayable(state)) return { kind: 'created', body: state };
  if (state.requested === null) {
    // Withdrawn: by the end of its window, or earlier because the processor does not take the currency.
    const isOver = ports.clock.now().getTime() >= Date.parse(state.expiresAt);
    return { kind: 'refused', refusal: isOver ? endedUnseen() : unknownCurrency() };
  }
  const { attempt, payCurrency, at } = state.requested;
  const made = await lookUp(ports, state);
  if (made !== undefined)
    return { kind: 'created', body: (await record(ports, { orderId, attempt }, made, context)).order };
  if (ports.clock.now().getTime() < Date.parse(at) + requestLeaseMs) return { kind: 'creating' };
  const asked = { orderId, attempt, priceCents: state.priceCents, payCurrency };
  return { kind: 'created', body: (await obtain(ports, asked, context)).order };
}

/** Ensures that an order that was not placed never will be. */
export async function abandon(
  { runner, ...ports }: OrderPorts,
  { accountId, context }: Caller,
  orderId: OrderId,
): Promise<void> {
  const command = { type: 'AbandonOrder', orderId, accountId, at: now(ports) } as const;
  await runner.run(order, uuidOf(orderId), command, stepContext(context, `abandon order ${orderId}`));
}

/** Replaces the payment by one in another currency; the old one stays until the new one is created. */
export async function change(
  ports: OrderPorts,
  { orderId, priceCents, payment }: PayableOrder,
  payCurrency: string,
  context: CommandContext,
): Promise<Changed> {
  const payments = configured(ports);
  // An unsupported currency is refused before anything is recorded.
  if (payCurrency !== payment.payCurrency) await inCurrency(payments.estimate(priceCents, payCurrency));
  const command = { type: 'RequestPayment', payCurrency, at: now(ports) } as const;
  const step = stepContext(context, 'request');
  const { state, events, position } = await ports.runner.run(order, uuidOf(orderId), command, step);
  if (!isPayable(state) || state.requested === null) return { order: payable(state), position };
  const { attempt } = state.requested;
  const made = events.length > 0 ? undefined : await lookUp(ports, state);
  if (made !== undefined) return record(ports, { orderId, attempt }, made, context);
  return obtain(ports, { orderId, attempt, priceCents, payCurrency }, context);
}

export async function cancel(
  { runner, ...ports }: OrderPorts,
  { orderId }: PayableOrder,
  context: CommandContext,
): Promise<Changed> {
  const command = { type: 'CancelOrder', at: now(ports) } as const;
  const { state, position } = await runner.run(order, uuidOf(orderId), command, context);
  return { order: payable(state), position };
}
