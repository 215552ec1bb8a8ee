import { v5 as uuidv5 } from 'uuid';
import { parseId, uuidOf, type OrderId } from '../../contracts/ids.ts';
import { decimalText } from '../../contracts/decimal.ts';
import type { ProcessorPayment } from '../../contracts/processor-payment.ts';
import { Refusal } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { checksLeft, isCheckDue } from '../../domain/order/checks.ts';
import { order } from '../../domain/order/order.ts';
import { isOpen, isPlaced, type ExistingOrder, type Recorded } from '../../domain/order/state.ts';
import { processorEvent } from '../../domain/processor-event.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { CryptoCallback } from '../../infra/crypto-payments/callback.ts';
import { PaymentsUnavailable } from '../../infra/crypto-payments/port.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import {
  now,
  ownedContext,
  ownedStep,
  stepContext,
  systemContext,
  type CommandContext,
} from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import { configured, type OrderPorts } from './ports.ts';
import type { CommandPorts } from '../engine/runner.ts';

const namespace = '3c0b8f52-7d6f-5d0e-8a43-0f6a7f1b2c95';

/**
 * Records a callback, once per minute; one that is repeated later triggers another query of the processor. `digest`: of its
 * bytes.
 */
export async function keepCallback(
  { runner, ...ports }: CommandPorts,
  callback: CryptoCallback,
  digest: string,
): Promise<void> {
  const at = now(ports);
  const uuid = uuidv5(`${digest} ${at.slice(0, 16)}`, namespace);
  const command = { type: 'KeepCryptoEvent', ...callback, at } as const;
  const context = systemContext(`crypto callback ${uuid}`, 'callback:payment-processor');
  await runner.run(processorEvent, uuid, command, context, { create: true });
}

/** Changes of orders by callbacks and timers. */
export const createOrderUpkeep = (ports: OrderPorts) => bindPorts(ports, { reconcile, end, check, entitle });

export type OrderUpkeep = ReturnType<typeof createOrderUpkeep>;

/** Queries the processor about a payment and its order, and applies the answer to the order. */
async function reconcile(ports: OrderPorts, paymentId: string, context: CommandContext): Promise<void> {
  const payment = await configured(ports).find(paymentId);
  if (payment !== undefined) await observe(ports, payment, context);
}

async function observe(ports: OrderPorts, payment: ProcessorPayment, context: CommandContext): Promise<void> {
  const orderId = parseId('order', payment.orderId ?? '');
  if (orderId === undefined) return;
  const { state } = await ports.runner.load(order, uuidOf(orderId));
  if (!isPlaced(state)) return;
  const { paymentId, status, actuallyPaid: paid } = payment;
  const amount = paid === null ? '' : decimalText(paid.units, paid.exponent);
  const step = ownedStep(context, state.accountId, `observe ${paymentId} ${status} ${amount}`);
  const command = { type: 'ObservePayment', payment, at: now(ports) } as const;
  await ports.runner.run(order, uuidOf(orderId), command, step);
}

/** Queries the processor about all payments of an order, then ends it if it is due and unpaid. */
async function end(
  ports: OrderPorts,
  orderId: OrderId,
  by: 'window' | 'sweep' | 'operator',
  context: CommandContext,
): Promise<Position | undefined> {
  const { state } = await ports.runner.load(order, uuidOf(orderId));
  if (isPlaced(state) && (isOpen(state) || state.status === 'placed')) {
    const due = { window: state.expiresAt, sweep: state.sweepAt, operator: state.createdAt }[by];
    if (ports.clock.now().getTime() < Date.parse(due)) return undefined;
    // Staff may end one after the processor was removed from the configuration.
    if (by !== 'operator' || ports.payments !== undefined) await observeAll(ports, state, context);
  }
  const command = { type: 'ExpireOrder', by, at: now(ports) } as const;
  const owned = isPlaced(state) ? ownedContext(context, state.accountId) : context;
  const step = stepContext(owned, `expire ${by}`);
  return (await ports.runner.run(order, uuidOf(orderId), command, step)).position;
}

/**
 * Queries the processor about all payments of an ended order if a check is due, and records the check. Without a processor the
 * check is skipped. Throws if the processor gives no answer; the check then counts as made, since a later one makes up for it. Only
 * the last one stays due.
 */
async function check(ports: OrderPorts, orderId: OrderId, context: CommandContext): Promise<void> {
  const at = now(ports);
  const { state } = await ports.runner.load(order, uuidOf(orderId));
  if (!isPlaced(state) || !isCheckDue(state, at)) return;
  const step = ownedStep(context, state.accountId, 'check');
  const record = () => ports.runner.run(order, uuidOf(orderId), { type: 'RecordCheck', at }, step);
  try {
    if (ports.payments !== undefined) await observeAll(ports, state, context);
  } catch (error) {
    if (error instanceof PaymentsUnavailable && checksLeft(state, at).length > 0) await record();
    throw error;
  }
  await record();
}

async function observeAll(ports: OrderPorts, state: ExistingOrder, context: CommandContext): Promise<void> {
  for (const payment of await paymentsOf(ports, state)) await observe(ports, payment, context);
}

/** Concurrency of queries about one order. */
const findsAtOnce = 4;

/** All recorded payments of the order, and unrecorded ones at the processor. */
async function paymentsOf(ports: OrderPorts, state: ExistingOrder): Promise<readonly ProcessorPayment[]> {
  const payments = configured(ports);
  const made = state.requested === null ? [] : await payments.ofOrder(state.orderId);
  const asked = state.payment === null ? [] : [state.payment.paymentId, ...state.replaced];
  const found = await inBatches(asked, findsAtOnce, (paymentId) => payments.find(paymentId));
  return [...found.filter((payment) => payment !== undefined), ...made];
}

/** Entitles the account to the paid product. */
async function entitle(
  { runner, ...ports }: OrderPorts,
  { orderId, accountId, tier, days }: Recorded<'OrderPaid'>,
  context: CommandContext,
): Promise<void> {
  const at = now(ports);
  try {
    const command = { type: 'EntitleByOrder', orderId, tier, days, at } as const;
    await runner.run(account, uuidOf(accountId), command, ownedContext(context, accountId));
  } catch (error) {
    if (!(error instanceof Refusal) || error.slug !== 'not-found') throw error;
    const step = ownedStep(context, accountId, 'review');
    await runner.run(order, uuidOf(orderId), { type: 'ReviewErased', at }, step);
  }
}
