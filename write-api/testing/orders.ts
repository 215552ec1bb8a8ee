import { randomUUID } from 'node:crypto';
import { createNowPayments } from '../../infra/crypto-payments/nowpayments.ts';
import {
  startCryptoProcessor,
  type CryptoProcessorOptions,
} from '../../infra/crypto-payments/stand-in/crypto-processor.ts';
import type { Config } from '../../infra/config/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { movableClock } from '../testing.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from './processes.ts';

export const ipnSecret = 'a secret of callbacks';
const apiKey = 'a key of the processor';

export const products = {
  api_builder_month: { cents: 4900, tier: 'api_builder', days: 30 },
  dear: { cents: Number.MAX_SAFE_INTEGER, tier: 'enterprise', days: 1 },
} as const;

interface OrderWorldOptions {
  readonly processor?: Partial<CryptoProcessorOptions>;
  readonly config?: Partial<Config>;
  /** Timeout of a request to the processor. */
  readonly timeoutMs?: number;
}

/** The whole service with its processes, and a processor of crypto payments beside it. */
export async function startOrders({ processor: changes, config, timeoutMs = 5000 }: OrderWorldOptions = {}) {
  const clock = movableClock();
  const front = { url: '' };
  const callbackUrl = () => `${front.url}/v1/webhooks/crypto`;
  const processor = await startCryptoProcessor({ apiKey, ipnSecret, callbackUrl, ...changes });
  const payments = createNowPayments({
    ...{ baseUrl: processor.url, apiKey, timeoutMs },
    callbackUrl: 'https://service.example/v1/webhooks/crypto',
  });
  const sold = { CRYPTO_IPN_SECRET: ipnSecret, CRYPTO_PRODUCTS: products, ...config };
  const service = await startServiceWithProcesses({ clock, payments, config: sold });
  front.url = `http://127.0.0.1:${service.port}`;

  const { buyer, order, read } = buying(service);
  const typesOf = async (id: unknown) =>
    (await service.events(`order-${String(id).slice(4)}`)).map(({ type }) => type);
  return {
    ...{ service, processor, clock, buyer, order, read },
    newKey: () => randomUUID(),
    /** Resolves to the order once it has that status. */
    reaching: (token: string, id: unknown, status: string) =>
      until(async () => {
        const answer = await read(token, id);
        return answer.json.status === status && answer;
      }),
    typesOf,
    /** Resolves to the types of the order's events once that one is among them. */
    recording: (id: unknown, type: string) =>
      until(async () => {
        const types = await typesOf(id);
        return types.includes(type) && types;
      }),
    async close(): Promise<void> {
      await service.close();
      await processor.close();
    },
  };
}
/** Requests of customers. */
function buying(service: ServiceWithProcesses) {
  const buyer = async () => {
    const account = await service.staff.account('free');
    await service.caughtUp();
    return account;
  };
  const order = (token: string, body: object = {}, key?: string) =>
    service.call('POST /v1/billing/crypto-checkout', {
      token,
      body: { product: 'api_builder_month', pay_currency: 'btc', ...body },
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    });
  const read = (token: string, id: unknown) =>
    service.call(`GET /v1/billing/crypto-orders/${String(id)}`, { token });
  return { buyer, order, read };
}

export type OrderWorld = Awaited<ReturnType<typeof startOrders>>;
