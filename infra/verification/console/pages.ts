import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Service } from '../../../contracts/client/index.ts';
import type { Tier } from '../../../contracts/tiers.ts';
import { shared, startStack, until, type NewAccount, type TestStack } from '../testbed/index.ts';
import { nothingBroke, openReaders, useBrowser, violationsOn, type Reader } from './reader.ts';

/** A user with a web session and an API key. */
export interface Person {
  readonly account: NewAccount;
  /** Client with the account's key, which creates the content of pages. */
  readonly api: Service;
  readonly cookies: Parameters<ReturnType<Page['context']>['addCookies']>[0];
}

type Environment = Readonly<Record<string, string>>;

export interface PagesOptions {
  readonly tier?: Tier;
  /** More environment, of a stack apart. A function is called before the stack starts, and may start what its environment names. */
  readonly env?: Environment | (() => Promise<Environment>);
}

export interface Pages {
  readonly stack: TestStack;
  /** The suite's user; pages are opened as this one by default. */
  readonly person: Person;
  /** Creates another user. */
  somebody(tier?: Tier): Promise<Person>;
  /** Opens a new window. `as`: null for a window without a session. */
  open(options?: BrowserContextOptions & { readonly as?: Person | null }): Promise<Page>;
}

/** Generous, for a busy machine. */
const STACK_LIMIT_MS = 180_000;

/** Webhooks of the tests go to this machine. */
const ordinary = { OUTBOUND_ALLOW: '127.0.0.0/8' };
/** Stacks by environment, shared by all suites of a run. */
const stacks = new Map<string, () => () => TestStack>();

function useStack(env: NonNullable<PagesOptions['env']>): () => TestStack {
  const more = async () => ({ ...ordinary, ...(typeof env === 'function' ? await env() : env) });
  const start = async () => startStack({ env: await more(), limitMs: STACK_LIMIT_MS });
  const make = () => shared({ start, end: (stack) => stack.stop() });
  if (typeof env === 'function') return make()();
  const key = JSON.stringify(env);
  const use = stacks.get(key) ?? make();
  stacks.set(key, use);
  return use();
}

/**
 * Must be called in a `describe`: provides a stack, a user and a browser. After each test, fails if a page had a script error
 * or a violation of the content security policy, or sent a request to another origin.
 */
export function usePages({ tier = 'api_scale', env = {} }: PagesOptions = {}): Pages {
  const stack = useStack(env);
  const browser = useBrowser();
  const made: { person?: Person; readers?: ReturnType<typeof openReaders> } = {};
  const opened: Reader[] = [];
  before(async () => {
    made.readers = openReaders(browser(), stack().baseUrl);
    made.person = await aPerson(stack(), tier);
  });
  after(() => made.readers?.close());
  afterEach('nothing broke, nothing was refused, nothing was asked of others', async function () {
    await nothingBroke(opened, this.currentTest);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
  });
  return {
    get stack() {
      return stack();
    },
    get person() {
      return there(made.person);
    },
    somebody: (other = tier) => aPerson(stack(), other),
    open: async ({ as = there(made.person), ...options } = {}) => {
      const reader = await there(made.readers).open(options);
      opened.push(reader);
      if (as !== null) await reader.page.context().addCookies(as.cookies);
      return reader.page;
    },
  };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is there in tests and hooks, not before.');
  return value;
}

/** Creates a user, signed in by the operator's link, which needs no mailbox. */
export async function aPerson(stack: TestStack, tier: Tier): Promise<Person> {
  const account = await stack.account(tier);
  const link = await stack.consoleLink(account.account_id);
  const answer = await fetch(`${stack.baseUrl}/v1/auth/magic-link/consume`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).searchParams.get('token') }),
  });
  expect(answer.status, await answer.clone().text()).to.equal(200);
  const cookies = answer.headers.getSetCookie().map((line) => cookieIn(line, stack.baseUrl));
  return { account, cookies, api: new Service({ baseUrl: stack.baseUrl, apiKey: account.api_key }) };
}

/** Signs a window in by an API key, which only its tab keeps. */
export async function signInByKey(page: Page, key: string): Promise<void> {
  await page.goto('/console/sign-in');
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('button', { name: 'Forget the API key' }).waitFor();
}

/** Milliseconds: an export waits where its rate limit is reached. */
const SAVE_LIMIT_MS = 90_000;

/** The file that the button with this name saves. */
export async function savedBy(
  page: Page,
  button: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const saving = page.waitForEvent('download', { timeout: SAVE_LIMIT_MS });
  await page.getByRole('button', { name: button }).click();
  const download = await saving;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

function cookieIn(line: string, baseUrl: string) {
  const [pair = ''] = line.split(';');
  const at = pair.indexOf('=');
  const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
  const { hostname: domain } = new URL(baseUrl);
  return { name: pair.slice(0, at), value: pair.slice(at + 1), domain, path, httpOnly: true };
}

const sizes = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } } as const;

/** A page to check: its path, and a condition for when it is complete. */
export interface Look {
  readonly name: string;
  /** Below `/console`. */
  readonly path: string | (() => string);
  readonly until: (page: Page) => Promise<unknown>;
}

/**
 * Tests in both sizes and colour schemes that `axe` finds nothing, and nothing is wider than the window. With
 * `SCREENS=<folder>` a PNG of each is written there.
 */
export function canBeRead(pages: Pick<Pages, 'open'>, looks: readonly Look[]): void {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`can be read by everybody, ${size} and ${colorScheme}`, async () => {
        const page = await pages.open({ viewport, colorScheme });
        for (const { name, path, until: isThere } of looks) {
          await page.goto(`/console${typeof path === 'string' ? path : path()}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await isThere(page);
          await write(page, `${name}-${size}-${colorScheme}`);
          expect(await violationsOn(page), name).to.deep.equal([]);
          const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
          expect(isWide, `${name} is wider than the window`).to.equal(false);
        }
      });
}

const { SCREENS } = process.env;

async function write(page: Page, name: string): Promise<void> {
  if (SCREENS === undefined) return;
  mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true });
}

/** Makes a page refresh what it shows, as when its tab is shown again. */
export const refreshes = (page: Page): Promise<void> =>
  page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");

/** Texts that may be given as names or labels, and must be shown verbatim. */
export const hostileTexts: Readonly<Record<string, string>> = {
  markup: '<img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>',
  bidirectional: '\u202Egnirts a si siht\u202C \u2067right to left\u2069',
  rightToLeft: 'שלום עולם',
  emoji: '👩🏽‍🚀🏴󠁧󠁢󠁥󠁮󠁧󠁿 zero\u200Bwidth',
  long: 'w'.repeat(190),
  template: '{{constructor.constructor("document.title=1")()}} ${document.title} {count}',
};

/** Asserts that a page shows each text verbatim, without interpreting it. */
export async function showsAsText(page: Page, texts: readonly string[]): Promise<void> {
  const shown = () => page.evaluate<string>('document.querySelector("main").textContent');
  for (const text of texts) await until(async () => (await shown()).includes(text));
  expect(await page.title()).to.not.equal('hacked');
  expect(await page.locator('main img[src="x"], main script').count()).to.equal(0);
}
