import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  browserPackages,
  chromiumPackages,
  needDebianPackages,
} from '../../main/bootstrap/debian-packages.mjs';
import { startDemoSite } from '../../main/demo/site.ts';
import type { Person } from '../console/pages.ts';
import { openChromium } from '../testbed/chromium.ts';

/*
 * `npm run screens [folder]`: pictures of the console for the README, by default into `docs/screens`. A stack of its own with
 * real browsers is filled with sample data on pages of the demonstration; Debian's Chromium takes the pictures.
 */
const [folder = 'docs/screens'] = process.argv.slice(2);
const viewport = { width: 1280, height: 800 };
/** Maximal size of a picture in bytes, so that the README loads fast. */
const MOST = 100_000;

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Creates what the screen shows, and waits for it. */
  readonly ready: (page: Page) => Promise<unknown>;
}

needDebianPackages(
  { ...browserPackages, ...chromiumPackages },
  'The console is shown in one browser, and others run.',
);
// Loaded only now, because it takes seconds.
const { aPerson } = await import('../console/pages.ts');
const { startStack, stopStacks } = await import('../testbed/stack.ts');
const site = await startDemoSite(0);
try {
  const env = { DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8' };
  const stack = await startStack({ env, limitMs: 300_000 });
  const person = await aPerson(stack, 'team');
  const screens = await fill(person, site.url);
  const browser = await openChromium();
  const context = await browser.newContext({ baseURL: stack.baseUrl, viewport });
  context.setDefaultTimeout(120_000);
  await context.addCookies(person.cookies);
  mkdirSync(folder, { recursive: true });
  for (const { name, path, ready } of screens) {
    const page = await context.newPage();
    await page.goto(`/console${path}`);
    await ready(page);
    await keep(page, name);
    await page.close();
  }
  await browser.close();
} finally {
  await stopStacks();
  await site.close();
}

/** Sessions that were used, a profile, an endpoint, and an agent to talk to. Returns the screens that show them. */
async function fill({ api }: Person, url: string): Promise<readonly Screen[]> {
  await api.profiles.create({ name: 'shop customer' });
  await api.webhooks.create({ url: 'http://127.0.0.1:9/hooks', events: ['session.completed'] });
  for (const label of ['nightly prices', 'checkout test']) await (await api.sessions.create({ label })).end();
  const session = await api.sessions.create({ label: 'price watch', metadata: { shop: 'fruit' } });
  await session.navigate(`${url}/`);
  await session.navigate(`${url}/shop`);
  await api.sessions.capture(session.id, { kind: 'screenshot' });
  const agent = await api.agents.create({ mode: 'pair' });
  return [
    { name: 'agent', path: `/agents/${agent.id}`, ready: (page) => talk(page, url) },
    { name: 'session', path: `/sessions/${session.id}`, ready: showsTimeline },
    { name: 'audit', path: '/audit', ready: verify },
  ];
}

async function talk(page: Page, url: string): Promise<void> {
  await page.getByLabel('Message').fill(`go to ${url}/\ntype "Ada" into "Name"\ntap "Greet"`);
  await page.getByLabel('Message').press('Enter');
  await page.getByText('Decided by rules, without a model.').waitFor();
  const live = page
    .getByRole('region', { name: 'Phone' })
    .getByText(/ms round trip|frames a second|not changing/);
  await live.first().waitFor();
}

function showsTimeline(page: Page): Promise<void> {
  return page.getByRole('table', { name: 'Timeline' }).getByText('Made a capture').waitFor();
}

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify' }).click();
  await page
    .getByText(/^All .* entries are valid/)
    .first()
    .waitFor();
}

/** Saves a screenshot as WebP, a third of the size of a PNG. */
async function keep(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  const picture = Buffer.from(data, 'base64');
  if (picture.byteLength > MOST)
    throw new Error(`${name} has ${picture.byteLength} bytes, more than ${MOST}.`);
  writeFileSync(join(folder, `${name}.webp`), picture);
}
