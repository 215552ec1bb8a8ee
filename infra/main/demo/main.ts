import { startCryptoProcessor } from './crypto-processor.ts';
import { startDemoSite } from './site.ts';

/** `npm run demo`: serves what the README's walk uses, until Ctrl-C: pages, and a processor of crypto payments. */
const { DEMO_PORT, DEMO_CRYPTO_PORT, CRYPTO_API_KEY, CRYPTO_IPN_SECRET } = process.env;
const site = await startDemoSite(Number(DEMO_PORT ?? 8090));
process.stdout.write(`Demonstration pages at ${site.url}\n`);
const processor = await startCryptoProcessor({
  port: Number(DEMO_CRYPTO_PORT ?? 8091),
  apiKey: CRYPTO_API_KEY ?? 'demo-key',
  ipnSecret: CRYPTO_IPN_SECRET ?? 'demo-secret',
});
process.stdout.write(`Demonstration crypto processor at ${processor.url}\n`);
const close = (): void => void Promise.all([site.close(), processor.close()]);
process.once('SIGINT', close);
process.once('SIGTERM', close);
