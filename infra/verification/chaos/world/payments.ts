import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tier } from '../../../../contracts/tiers.ts';
import {
  startCardStandIn,
  startCryptoProcessor,
  type CardStandIn,
  type CryptoProcessor,
  type StoredPayment,
} from '../../testbed/index.ts';
import type { Random } from '../random.ts';
import type { Clock } from './clock.ts';

/** A callback of a processor, and whether the service has ever answered it with a 200. */
export interface SentCallback {
  readonly processor: 'card' | 'crypto';
  /** Id of the event or of the payment. */
  readonly id: string;
  /** Type of the event, or status of the payment. */
  readonly says: string;
  /** Amount in whole units that the crypto processor has received. */
  readonly amount: string | null;
  /** A dropped callback is never sent. */
  readonly isLost: boolean;
  isTaken: boolean;
}

/** The stand-ins of both payment processors, and the callbacks they sent. */
export interface Payments {
  readonly cards: CardStandIn;
  readonly crypto: CryptoProcessor;
  /** Environment of the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly callbacks: readonly SentCallback[];
  /** Time of the last event, by the service's clock. */
  readonly lastAt: Date;
  /** Called once, when the service has an address. */
  callBackTo(baseUrl: string): void;
  /** Triggers an event at the card processor, and sends the callbacks of all resulting events. */
  atCards<T>(random: Random, happen: () => T): T;
  /** Changes a payment, and sends a callback about it. */
  atCrypto(random: Random, paymentId: string, changes: Partial<StoredPayment>): void;
  /** Resolves when each callback that is not dropped was answered with a 200, or has been retried for too long. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

/** Monthly price in cents, by the id of the price. */
const prices = { price_personal: 900, price_api_starter: 1900, price_team: 4900 };
export const tierOfPrice: Readonly<Record<string, Tier>> = {
  price_personal: 'personal',
  price_api_starter: 'api_starter',
  price_team: 'team',
};
export const soldByCard = Object.values(tierOfPrice);

const secrets = { card: 'whsec_chaos', crypto: 'ipn-chaos' };
const keys = { card: 'sk_chaos', crypto: 'key-chaos' };

/** How often a callback is sent, and its maximal delay in milliseconds. Delays change their order. */
const deliveryPatterns = [
  { weight: 5, times: 1, lateMs: 0 },
  { weight: 2, times: 2, lateMs: 300 },
  { weight: 2, times: 1, lateMs: 2_500 },
  { weight: 1.5, times: 0, lateMs: 0 },
];

/** Milliseconds between the retries of a callback. */
const RETRY_INTERVAL_MS = 400;
const ANSWER_TIMEOUT_MS = 4_000;
const MAX_TRIES = 200;

export async function startPayments(clock: Clock): Promise<Payments> {
  const front = { url: '' };
  const sender = new CallbackSender(clock);
  const cards = await startCardStandIn({
    ...{ secretKey: keys.card, webhookSecret: secrets.card, prices, now: () => clock.now() },
  });
  const crypto = await startCryptoProcessor({
    ...{ apiKey: keys.crypto, ipnSecret: secrets.crypto },
    callbackUrl: () => `${front.url}/v1/webhooks/crypto`,
  });
  const sendCard = async (body: string): Promise<number> => {
    const headers = cards.sign(body);
    return (await fetch(`${front.url}/v1/webhooks/card`, { method: 'POST', headers, body })).status;
  };
  return {
    ...{ cards, crypto, callbacks: sender.callbacks, environment: environmentOf(cards.url, crypto.url) },
    get lastAt() {
      return sender.lastAt;
    },
    callBackTo: (baseUrl) => void (front.url = baseUrl),
    atCards: (random, happen) => {
      const before = cards.events.length;
      const result = happen();
      for (const event of cards.events.slice(before)) {
        const what = { processor: 'card', id: event.id, says: event.type, amount: null } as const;
        sender.post(random, what, () => sendCard(JSON.stringify(event)));
      }
      return result;
    },
    atCrypto: (random, paymentId, changes) => {
      const payment = crypto.set(paymentId, changes);
      const { payment_status: says, actually_paid: amount } = payment;
      const what = { processor: 'crypto', id: paymentId, says, amount } as const;
      sender.post(random, what, () => crypto.callBack(paymentId, payment));
    },
    delivered: () => sender.delivered(),
    close: () => Promise.all([cards.close(), crypto.close(), sender.close()]).then(() => undefined),
  };
}

function environmentOf(cardsUrl: string, cryptoUrl: string): Readonly<Record<string, string>> {
  const priceOfTier = Object.entries(tierOfPrice).map(([price, tier]) => [tier, price]);
  return {
    ...{ CARD_API_URL: cardsUrl, CARD_SECRET_KEY: keys.card, CARD_WEBHOOK_SECRET: secrets.card },
    CARD_PRICES: JSON.stringify(Object.fromEntries(priceOfTier)),
    ...{ CRYPTO_API_URL: cryptoUrl, CRYPTO_API_KEY: keys.crypto, CRYPTO_IPN_SECRET: secrets.crypto },
  };
}

/** Sends callbacks as unreliably as a processor may. */
class CallbackSender {
  readonly callbacks: SentCallback[] = [];
  lastAt = new Date(0);
  readonly #sending = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    setMaxListeners(0, this.#closing.signal);
  }

  post(random: Random, what: Omit<SentCallback, 'isLost' | 'isTaken'>, send: Send): void {
    const { times, lateMs } = random.weighted(deliveryPatterns);
    const callback = { ...what, isLost: times === 0, isTaken: false };
    this.callbacks.push(callback);
    this.lastAt = new Date(this.#clock.now());
    for (let copy = 1; copy <= times; copy += 1) {
      const work = deliver(callback, send, random.between(0, lateMs), this.#closing.signal);
      this.#sending.add(work);
      void work.finally(() => this.#sending.delete(work));
    }
  }

  async delivered(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return this.delivered();
  }
}

/** Returns the status of the answer. */
type Send = () => Promise<number>;

async function deliver(
  callback: SentCallback,
  send: Send,
  lateMs: number,
  closing: AbortSignal,
): Promise<void> {
  await delay(lateMs, undefined, { signal: closing }).catch(() => undefined);
  for (let tries = 0; tries < MAX_TRIES && !closing.aborted; tries += 1) {
    const timeout = delay(ANSWER_TIMEOUT_MS, 0, { ref: false });
    if ((await Promise.race([send().catch(() => 0), timeout])) === 200) {
      callback.isTaken = true;
      return;
    }
    await delay(RETRY_INTERVAL_MS);
  }
}
