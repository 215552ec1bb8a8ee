import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openChromium } from '../testbed/chromium.ts';
import { shared } from '../testbed/shared.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A page, with the forbidden things that it did. */
export interface Reader {
  readonly page: Page;
  /** Script errors, and violations of the content security policy. */
  readonly faults: readonly string[];
  /** Requests to other origins. */
  readonly elsewhere: readonly string[];
  /** Violations found by axe, as `rule: element`. */
  violations(): Promise<readonly string[]>;
  /** The address, the text and the last answers, to find the cause of a failure. */
  looks(): Promise<string>;
}

/**
 * Fails if a page had a fault, or sent requests to other origins. After a failed test, prints the state of the pages.
 */
export async function nothingBroke(
  opened: readonly Reader[],
  test: { readonly state?: string | undefined } | undefined,
): Promise<void> {
  if (test?.state === 'failed') for (const { looks } of opened) console.log(await looks().catch(String));
  for (const { faults, elsewhere } of opened) expect([...faults, ...elsewhere]).to.deep.equal([]);
}

const LOOK_MS = 1000;
const MOST_ANSWERS = 20;

/** One browser for all suites of a process; to be called in a `describe`. */
export const useBrowser = shared({ start: () => openChromium(), end: (browser) => browser.close() });

/** Opens pages of the console, each in a context of its own; `close` closes those that are still open. */
export function openReaders(browser: Browser, baseUrl: string) {
  const contexts: BrowserContext[] = [];
  const open = async (options: BrowserContextOptions = {}): Promise<Reader> => {
    const context = await browser.newContext({ baseURL: baseUrl, ...options });
    contexts.push(context);
    const page = await context.newPage();
    const [faults, elsewhere]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|violates/i.test(message.text())) faults.push(message.text());
    });
    const answers: string[] = [];
    page.on('response', (response) =>
      answers.push(`${response.status()} ${response.request().method()} ${response.url()}`),
    );
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    const looks = async () => {
      const text = await page.locator('body').innerText({ timeout: LOOK_MS });
      return [page.url(), text, ...answers.slice(-MOST_ANSWERS)].join('\n');
    };
    return { page, faults, elsewhere, violations: () => violationsOn(page), looks };
  };
  return { open, close: () => Promise.all(contexts.map((context) => context.close())) };
}

/**
 * Violations found by axe, as `rule: element`. Injected by the devtools protocol, which ignores the page's content security
 * policy.
 */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
