import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../../crypto-payments/stand-in/crypto-processor.ts';
import type { Bench } from '../subject.ts';
import { systemClient, type SystemClient } from '../system/system-client.ts';
import { onSystem, type SystemUnderTest } from '../system/system-stack.ts';

/** A system with crypto payments, and the processor's stand-in, in the process of the bench. */
export interface SellingSystem extends SystemUnderTest {
  readonly processor: CryptoProcessor;
  /** A client of a new account without payments. */
  payer(): Promise<SystemClient>;
}

export interface Placed {
  readonly id: string;
  readonly payment_id: string;
}

const keys = { apiKey: 'key-of-the-processor', ipnSecret: 'secret-of-callbacks' };

export async function onSellingSystem<T>(
  bench: Pick<Bench, 'directory'>,
  work: (system: SellingSystem) => Promise<T>,
): Promise<T> {
  let front = '';
  const processor = await startCryptoProcessor({
    ...keys,
    callbackUrl: () => `${front}/v1/webhooks/crypto`,
  });
  const environment = {
    CRYPTO_API_URL: processor.url,
    CRYPTO_API_KEY: keys.apiKey,
    CRYPTO_IPN_SECRET: keys.ipnSecret,
  };
  const payers: SystemClient[] = [];
  try {
    return await onSystem(bench, environment, (system) => {
      front = system.stack.baseUrl;
      const payer = async () => {
        const { api_key } = await system.stack.account('free');
        const client = systemClient(front, api_key);
        payers.push(client);
        return client;
      };
      return work({ ...system, processor, payer });
    });
  } finally {
    await Promise.all(payers.map((client) => client.close()));
    await processor.close();
  }
}

export async function place(client: SystemClient): Promise<Placed> {
  const wanted = { product: 'api_builder_month', pay_currency: 'btc' };
  const { text } = await client.call('POST', '/v1/billing/crypto-checkout', wanted);
  return JSON.parse(text) as Placed;
}

/** Marks a payment as `finished`, and sends the callback. */
export async function settle(processor: CryptoProcessor, paymentId: string): Promise<void> {
  const { pay_amount = '0' } = processor.payments.get(paymentId) ?? {};
  processor.set(paymentId, { payment_status: 'finished', actually_paid: pay_amount });
  const status = await processor.callBack(paymentId);
  if (status !== 200) throw new Error(`A callback was answered ${status}.`);
}
