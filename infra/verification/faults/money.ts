import { randomUUID } from 'node:crypto';
import { uuidOf, type OrderId } from '../../../contracts/ids.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { Answer } from '../../http/testing.ts';
import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../crypto-payments/stand-in/crypto-processor.ts';
import { startCardStandIn, startTcpProxy, type CardStandIn, type TcpProxy } from '../testbed/index.ts';
import { newClient, type Client } from './client.ts';
import { startWorld, type World } from './world.ts';

const crypto = { apiKey: 'key-of-the-processor', ipnSecret: 'secret-of-callbacks' };
const card = { secretKey: 'sk_test_faults', webhookSecret: 'whsec_faults' };
const price = 'price_personal';

/** A stack with both payment processors, each behind a proxy. */
export interface Money {
  readonly here: World;
  readonly crypto: CryptoProcessor;
  readonly cards: CardStandIn;
  /** Proxies between the service and each processor; callbacks do not pass through them. */
  readonly links: { readonly crypto: TcpProxy; readonly cards: TcpProxy };
  /** A client of a new account without payments. */
  payer(): Promise<Payer>;
  /** Status of the answer to a callback of the card processor. */
  callBackCard(event: object): Promise<number>;
  orderEvents(id: OrderId): Promise<string[]>;
  /** All events of this type in a category of streams. */
  eventsOf(category: string, type: string): Promise<readonly RecordedEvent[]>;
  close(): Promise<void>;
}

export interface PlacedOrder {
  readonly id: OrderId;
  readonly payment_id: string;
  readonly expires_at: string;
}

export interface Payer extends Client {
  /** Requests an order; the same one for the same key. */
  checkout(key?: string): Promise<Answer>;
  /** The placed order. */
  order(): Promise<PlacedOrder>;
  orderStatus(id: OrderId): Promise<unknown>;
  /** Requests a checkout page for a subscription. */
  subscribe(): Promise<Answer>;
  tier(): Promise<unknown>;
}

export async function startMoney(): Promise<Money> {
  let front = '';
  const [cryptoProcessor, cards] = await Promise.all([
    startCryptoProcessor({ ...crypto, callbackUrl: () => `${front}/v1/webhooks/crypto` }),
    startCardStandIn({ ...card, prices: { [price]: 900 }, callbackUrl: () => `${front}/v1/webhooks/card` }),
  ]);
  const links = { crypto: await proxyOf(cryptoProcessor), cards: await proxyOf(cards) };
  const here = await startWorld({
    CRYPTO_API_URL: links.crypto.through(cryptoProcessor.url),
    CRYPTO_API_KEY: crypto.apiKey,
    CRYPTO_IPN_SECRET: crypto.ipnSecret,
    CRYPTO_WINDOW: '10s',
    CARD_API_URL: links.cards.through(cards.url),
    CARD_SECRET_KEY: card.secretKey,
    CARD_WEBHOOK_SECRET: card.webhookSecret,
    CARD_PRICES: JSON.stringify({ personal: price }),
  });
  front = here.stack.baseUrl;
  return {
    ...{ here, crypto: cryptoProcessor, cards, links },
    payer: async () => payerFrom(await newClient(here.stack, 'free')),
    callBackCard: async (event) => {
      const body = JSON.stringify(event);
      const headers = cards.sign(body);
      const answer = await fetch(`${front}/v1/webhooks/card`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    },
    orderEvents: (id) => here.typesIn(`order-${uuidOf(id)}`),
    eventsOf: async (category, type) =>
      (await here.eventsUnder(category)).filter((event) => event.type === type),
    close: async () => {
      await here.stack.stop();
      await Promise.all([links.crypto, links.cards, cryptoProcessor, cards].map((each) => each.close()));
    },
  };
}

function proxyOf({ url }: { readonly url: string }): Promise<TcpProxy> {
  const { hostname: host, port } = new URL(url);
  return startTcpProxy({ host, port: Number(port) });
}

function payerFrom(client: Client): Payer {
  const checkout: Payer['checkout'] = (key = randomUUID()) =>
    client.call(
      'POST /v1/billing/crypto-checkout',
      { product: 'api_builder_month', pay_currency: 'btc' },
      { 'idempotency-key': key },
    );
  const read = async (path: string) => (await client.call(`GET /v1/billing${path}`)).json;
  return {
    ...client,
    checkout,
    order: async () => {
      const { status, text } = await checkout();
      if (status !== 201) throw new Error(`An order was answered ${status}: ${text}`);
      return JSON.parse(text) as PlacedOrder;
    },
    orderStatus: async (id) => (await read(`/crypto-orders/${id}`)).status,
    subscribe: () => client.call('POST /v1/billing/checkout-session', { tier: 'personal' }),
    tier: async () => (await read('')).tier,
  };
}
