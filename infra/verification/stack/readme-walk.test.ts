import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../platform/free-port.ts';
import { startCardStandIn, startStack, tempDir, type CardStandIn, type TestStack } from '../testbed/index.ts';
import {
  startCryptoProcessor,
  type CryptoProcessor,
} from '../../crypto-payments/stand-in/crypto-processor.ts';
import { startDemoSite, type DemoSite } from '../../main/demo/site.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const parts = [...readme.matchAll(/<!-- walk: .* -->\s+```bash\n([\s\S]+?)```/g)].map(([, part]) => part);
/** The parts in one shell; a receiver that is left running when a call fails is ended. */
const walk = ["trap 'kill $(jobs -p) 2> /dev/null || true' EXIT", ...parts].join('\n');

describe('the walk of the README, on real WebKit', function () {
  this.timeout(180_000);
  let site: DemoSite;
  let cards: CardStandIn;
  let processor: CryptoProcessor;
  let stack: TestStack;
  const folder = tempDir('walk');

  before(async () => {
    // As `npm install <path to the checkout>` does it.
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(checkout, join(folder, 'node_modules/service'));
    symlinkSync(join(checkout, 'node_modules/otpauth'), join(folder, 'node_modules/otpauth'));
    site = await startDemoSite(0);
    processor = await startCryptoProcessor({ apiKey: 'demo-key', ipnSecret: 'demo-secret' });
    const engine = {
      url: `${site.url}/search?q={query}`,
      result: '.result',
      title: 'h3',
      link: 'a',
      snippet: 'p',
    };
    cards = await startCardStandIn({
      secretKey: 'sk_demo',
      webhookSecret: 'whsec_demo',
      prices: { price_api_starter: 1900 },
      callbackUrl: () => `${stack.baseUrl}/v1/webhooks/card`,
    });
    stack = await startStack({
      env: {
        CARD_API_URL: cards.url,
        CARD_SECRET_KEY: 'sk_demo',
        CARD_WEBHOOK_SECRET: 'whsec_demo',
        CARD_PRICES: '{"api_starter":"price_api_starter"}',
        DRIVER: 'webkit',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        ...{ CRYPTO_API_URL: processor.url, CRYPTO_API_KEY: 'demo-key', CRYPTO_IPN_SECRET: 'demo-secret' },
        SEARCH_ENGINES: JSON.stringify({ demo: engine }),
      },
      limitMs: 120_000,
    });
  });
  after(async () => {
    await stack.stop();
    await site.close();
    await cards.close();
    await processor.close();
  });

  /** Stops at the first call that is not answered with success, and says which. */
  const run = (env: Record<string, string>): Promise<{ stdout: string; failure: string }> =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...process.env, ...env },
        maxBuffer: 16 * 1024 * 1024,
        timeout: 150_000,
      };
      execFile('bash', ['-euo', 'pipefail', '-c', walk], options, (error, stdout, stderr) => {
        resolve({ stdout, failure: error === null ? '' : `${stderr}ended by ${error.code ?? error.signal}` });
      });
    });

  it('runs from its first call to its last', async () => {
    expect(walk).to.contain('/navigate').and.to.contain('/audit-log').and.to.contain('/rotate-secret');
    const { api_key } = await stack.account('api_scale');
    const { stdout, failure } = await run({
      BASE: stack.baseUrl,
      SITE: site.url,
      DEMO_CRYPTO: processor.url,
      HOOK: `http://127.0.0.1:${await freePort()}/`,
      KEY: api_key,
      CHECKOUT: checkout,
      DATA_DIR: stack.dataDir,
    });
    expect(failure, stdout).to.equal('');
    const [archetype, again] = stdout.split('\n');
    expect(archetype).to.match(/^iphone-/);
    expect(again).to.match(/^ses_/);
    expect(stdout).to.contain('"matched":true');
    expect(stdout).to.contain('"name":"Pear","price":0.9');
    expect(stdout).to.contain('"title":"Apples"');
    expect(stdout).to.contain('"status":"authenticated"');
    expect(stdout).to.match(/^destroyed$/m);
    expect(stdout).to.contain('session.destroyed').and.not.to.contain('correct horse');
    // A key without a code lately; a member who reads, writes, and is removed; a session after another password.
    expect(stdout.match(/^\d{3}$/gm)).to.deep.equal(['403', '200', '403', '404', '401']);
    expect(stdout)
      .to.match(/^paid$/m)
      .and.to.contain('49.00 USD');
    // A profile before and after it signed in, and as another one that it was imported as.
    const visited = stdout.split('\n').filter((line) => line.startsWith(`${site.url}/`));
    expect(visited).to.deep.equal(['/login', '/account', '/account'].map((path) => `${site.url}${path}`));
    expect(stdout)
      .to.match(/^ready$/m)
      .and.not.to.contain('phrase');
    expect(stdout).to.contain('"tier":"api_starter","status":"active"');
  });

  it('has told its receiver what happened, under the same id each time, and nothing that did not verify', () => {
    const received = readFileSync(join(folder, 'received.log'), 'utf8').trim().split('\n');
    const calls = received.map((line) => line.split(' '));
    const ended = calls.filter(([, type]) => type === 'session.completed').map(([id]) => id);
    expect(new Set(ended).size, 'sessions').to.equal(2);
    expect(ended.length, 'the last one sent, replayed, and replayed in a range').to.be.at.least(3);
    expect(calls.filter(([, type]) => type === 'test.ping')).to.have.length(2);
    expect(received.filter((line) => line.startsWith('refused'))).to.deep.equal([]);
  });

  it('leaves a picture, a page and a document that are what they say', () => {
    const file = (name: string) => readFileSync(join(folder, name));
    expect(file('screenshot.png').subarray(1, 4).toString()).to.equal('PNG');
    expect(file('screenshot.png').readUInt32BE(16), 'device pixels across').to.be.greaterThan(1000);
    expect(file('page.html').toString()).to.contain('Hello, Ada!');
    expect(file('page.pdf').subarray(0, 4).toString()).to.equal('%PDF');
  });
});
