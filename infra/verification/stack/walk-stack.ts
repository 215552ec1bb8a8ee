import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../crypto-payments/stand-in/crypto-processor.ts';
import type { DemoServer } from '../../main/demo/loopback.ts';
import { startDemoModel } from '../../main/demo/model.ts';
import { startDemoSite } from '../../main/demo/site.ts';
import { shared, startCardStandIn, startStack, type TestStack } from '../testbed/index.ts';

/** The stack of the walkthroughs: real WebKit, and the pages, payment processors and model of the demo. */
export interface WalkStack {
  readonly stack: TestStack;
  readonly site: DemoServer;
  readonly processor: CryptoProcessor;
  close(): Promise<void>;
}

/** Shared by the shell's and the client's walkthroughs, which have separate accounts. */
export const useWalkStack = shared({ start: startWalkStack, end: (walk) => walk.close() });

async function startWalkStack(): Promise<WalkStack> {
  let front = '';
  const [site, model, processor, cards] = await Promise.all([
    startDemoSite(0),
    startDemoModel(0),
    startCryptoProcessor({ apiKey: 'demo-key', ipnSecret: 'demo-secret' }),
    startCardStandIn({
      secretKey: 'sk_demo',
      webhookSecret: 'whsec_demo',
      prices: { price_api_starter: 1900 },
      callbackUrl: () => `${front}/v1/webhooks/card`,
    }),
  ]);
  const demo = {
    url: `${site.url}/search?q={query}`,
    result: '.result',
    title: 'h3',
    link: 'a',
    snippet: 'p',
  };
  const env = {
    ...{ DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8', LLM_BASE_URL: model.url, ANCHOR_INTERVAL: '2s' },
    ...{ CARD_API_URL: cards.url, CARD_SECRET_KEY: 'sk_demo', CARD_WEBHOOK_SECRET: 'whsec_demo' },
    CARD_PRICES: '{"api_starter":"price_api_starter"}',
    ...{ CRYPTO_API_URL: processor.url, CRYPTO_API_KEY: 'demo-key', CRYPTO_IPN_SECRET: 'demo-secret' },
    SEARCH_ENGINES: JSON.stringify({ demo }),
  };
  const stack = await startStack({ env, limitMs: 180_000 });
  front = stack.baseUrl;
  return {
    ...{ stack, site, processor },
    close: async () => {
      await stack.stop();
      await Promise.all([site, model, processor, cards].map((each) => each.close()));
    },
  };
}
