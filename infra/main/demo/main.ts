import { startCardStandIn } from './cards/index.ts';
import { startDemoSite } from './site.ts';

/**
 * `npm run demo`: serves the pages that the README's walk uses, and a stand-in for the card processor whose callbacks go to the service
 * on this machine, until Ctrl-C.
 */
const port = Number(process.env.DEMO_PORT ?? 8090);
const service = process.env.DEMO_SERVICE_URL ?? 'http://127.0.0.1:8080';
const site = await startDemoSite(port);
const cards = await startCardStandIn({
  secretKey: 'sk_demo',
  webhookSecret: 'whsec_demo',
  prices: { price_personal: 900, price_team: 4900, price_api_starter: 1900 },
  callbackUrl: () => `${service}/v1/webhooks/card`,
  port: port + 1,
});
process.stdout.write(
  `Demonstration pages at ${site.url}\nCard processor at ${cards.url}, where nothing is charged\n`,
);
const close = () => void Promise.all([site.close(), cards.close()]);
process.once('SIGINT', close);
process.once('SIGTERM', close);
