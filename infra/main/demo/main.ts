import { startCardStandIn } from '../../payments/card/stand-in/index.ts';
import { startCryptoProcessor } from '../../crypto-payments/stand-in/crypto-processor.ts';
import { startDemoModel } from './model.ts';
import { startDemoSite } from './site.ts';

/**
 * `npm run demo`: serves the pages of `docs/walkthroughs/`, and stand-ins for payment processors and a model's provider, until
 * Ctrl-C. Callbacks are sent to the service on this machine.
 */
const { DEMO_PORT, DEMO_CARD_PORT, DEMO_CRYPTO_PORT, DEMO_MODEL_PORT, DEMO_SERVICE_URL } = process.env;
const { CRYPTO_API_KEY, CRYPTO_IPN_SECRET } = process.env;
const service = DEMO_SERVICE_URL ?? 'http://127.0.0.1:8080';
const site = await startDemoSite(Number(DEMO_PORT ?? 8090));
const cards = await startCardStandIn({
  secretKey: 'sk_demo',
  webhookSecret: 'whsec_demo',
  prices: { price_personal: 900, price_team: 4900, price_api_starter: 1900 },
  callbackUrl: () => `${service}/v1/webhooks/card`,
  port: Number(DEMO_CARD_PORT ?? 8092),
});
const crypto = await startCryptoProcessor({
  port: Number(DEMO_CRYPTO_PORT ?? 8093),
  apiKey: CRYPTO_API_KEY ?? 'demo-key',
  ipnSecret: CRYPTO_IPN_SECRET ?? 'demo-secret',
});
const model = await startDemoModel(Number(DEMO_MODEL_PORT ?? 8094));
process.stdout.write(
  `Demonstration pages at ${site.url}\nModel at ${model.url}, which is scripted for one task\nCard processor at ${cards.url}, where nothing is charged\nCrypto processor at ${crypto.url}\n`,
);
const close = (): void => void Promise.all([site.close(), cards.close(), crypto.close(), model.close()]);
process.once('SIGINT', close);
process.once('SIGTERM', close);
