import { createOrderUpkeep, type OrderUpkeep } from '../../../commands/order/upkeep.ts';
import { orderManagers, unsettledSweep, type Processes } from '../../../commands/process-managers/index.ts';
import { unsettledPayments } from '../../../projections/queries/order.ts';
import type { OrderOptions } from '../../../write-api/order/order.ts';
import type { Config } from '../../config/index.ts';
import { createNowPayments } from '../../crypto-payments/nowpayments.ts';
import type { CryptoPayments } from '../../crypto-payments/port.ts';
import type { Ports } from './ports.ts';

/** Without the key, or the secret of callbacks, nothing can be paid. */
function paymentsOf(config: Config): CryptoPayments | undefined {
  const { CRYPTO_API_KEY: apiKey, CRYPTO_IPN_SECRET: secret } = config;
  if (apiKey === undefined || secret === undefined) return undefined;
  const callbackUrl = config.BASE_URL && `${config.BASE_URL.replace(/\/+$/, '')}/v1/webhooks/crypto`;
  return createNowPayments({ baseUrl: config.CRYPTO_API_URL, apiKey, callbackUrl });
}

/** What the routes of orders need. */
export const orderOptions = (config: Config): OrderOptions => ({
  payments: paymentsOf(config),
  ipnSecret: config.CRYPTO_IPN_SECRET,
  products: config.CRYPTO_PRODUCTS,
  windowMs: config.CRYPTO_WINDOW,
  sweepAfterMs: config.CRYPTO_SWEEP_AFTER,
});

export const orderUpkeepOn = ({
  config,
  clock,
  runner,
}: Pick<Ports, 'config' | 'clock' | 'runner'>): OrderUpkeep =>
  createOrderUpkeep({ runner, clock, payments: paymentsOf(config) });

/** How often money that is not settled is asked about, at the least. */
const unsettledMs = 60_000;

/** What follows from callbacks and paid orders, and the search for callbacks that were lost. */
export function orderProcesses({ config, clock, logger, pool }: Ports, orders: OrderUpkeep): Processes {
  const everyMs = Math.min(unsettledMs, config.CRYPTO_SWEEP_AFTER);
  const unsettled = () => unsettledPayments(pool);
  return {
    managers: orderManagers(orders),
    sweeps: [unsettledSweep({ orders, unsettled, clock, logger, everyMs })],
  };
}
