import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../commands/engine/context.ts';
import * as checkout from '../../commands/order/checkout.ts';
import { configured, type CheckoutPorts } from '../../commands/order/ports.ts';
import { keepCallback } from '../../commands/order/upkeep.ts';
import type { KeyedWork } from '../../commands/receipt/index.ts';
import { toId, type OrderId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  presentOrder,
  type CryptoOrder,
  type PlaceOrder,
  type StoredOrder,
} from '../../contracts/resources/order.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import { readCallback } from '../../infra/crypto-payments/callback.ts';
import { PaymentsUnavailable } from '../../infra/crypto-payments/port.ts';
import { signatureHeader } from '../../infra/crypto-payments/signature.ts';
import type { Reply } from '../../infra/http/index.ts';
import { qrSvg } from '../../infra/receipts/qr.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';

type OrderRoutes = Extract<RouteIdOn<'write'>, `crypto-${string}`>;

export interface OrderRoutePorts extends CheckoutPorts {
  /** The signing secret of callbacks. */
  readonly ipnSecret: string | undefined;
}

/** The routes that place, change and cancel orders, and the processor's callback. */
export function orderHandlers(
  ports: OrderRoutePorts,
  { answering, answeringOn, answeringAnyone }: Handling,
  idempotently: Idempotently,
): HandlersOf<OrderRoutes> {
  const onOrder = answeringOn((caller, id) => checkout.find(ports, caller, id));
  return {
    'crypto-orders.quote': answering(({ body }) =>
      paying(async () => ({ body: await checkout.quote(ports, body) })),
    ),
    'crypto-orders.create': answering((call) =>
      paying(() => {
        configured(ports);
        checkout.productOf(ports, call.body.product);
        return idempotently('crypto-orders.create', call, creation(ports, call));
      }),
    ),
    'crypto-orders.update': onOrder(({ caller, found, body }) =>
      paying(async () => shown(await checkout.change(ports, found, body.pay_currency, caller.context))),
    ),
    'crypto-orders.cancel': onOrder(async ({ caller, found }) =>
      shown(await checkout.cancel(ports, found, caller.context)),
    ),
    'crypto-callbacks.take': answeringAnyone(async ({ bytes, request }) => {
      await takeCallback(ports, bytes, request.header(signatureHeader) ?? '');
      return { body: {} };
    }),
  };
}

/**
 * Runs `work`. If the processor does not answer, the client gets a 503 and should retry. The retry finds a payment
 * that was created.
 */
async function paying(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    const detail = 'The payment processor does not answer. The request may be sent again.';
    throw refuse('payments-unavailable', detail, { retry_after_seconds: 5 });
  }
}

const bodyOf = (order: StoredOrder): CryptoOrder => presentOrder(order, qrSvg);
const shown = ({ order, position }: checkout.Changed) => ({ body: bodyOf(order), position });

const creation = (
  ports: CheckoutPorts,
  { caller, body }: { readonly caller: Caller; readonly body: PlaceOrder },
): KeyedWork<OrderId, CryptoOrder> => ({
  newId: () => toId('order', uuidv7()),
  run: async (id) => shown(await checkout.place(ports, caller, id, body)),
  outcome: async (id) => {
    const outcome = await checkout.outcome(ports, caller, id);
    return outcome.kind === 'created' ? { kind: 'created', body: bodyOf(outcome.body) } : outcome;
  },
  withdraw: (id) => checkout.abandon(ports, caller, id),
});

/** A callback is recorded before it is acknowledged, and processed later. */
async function takeCallback(ports: OrderRoutePorts, bytes: Buffer, signature: string): Promise<void> {
  const { ipnSecret } = ports;
  if (ipnSecret === undefined)
    throw refuse('feature-unavailable', 'This service accepts no payments with crypto.');
  const callback = readCallback(bytes, signature, ipnSecret);
  if (callback === undefined) throw refuse('bad-request', 'The signature does not match the body.');
  await keepCallback(ports, callback, createHash('sha256').update(bytes).digest('hex'));
}
