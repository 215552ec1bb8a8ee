import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openChromium } from '../testbed/chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What a page did that no page of the console may do. */
export interface Reader {
  readonly page: Page;
  /** Errors of scripts, and what the content security policy has refused. */
  readonly faults: readonly string[];
  /** Requests to anywhere else. */
  readonly elsewhere: readonly string[];
  /** What axe finds, as `rule: element`. */
  violations(): Promise<readonly string[]>;
}

/** A browser with people who read the console at this address, each in a context of their own. */
export async function openReaders(baseUrl: string) {
  const browser = await openChromium();
  const open = async (options: BrowserContextOptions = {}): Promise<Reader> => {
    const context = await browser.newContext({ baseURL: baseUrl, ...options });
    const page = await context.newPage();
    const [faults, elsewhere]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|violates/i.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    return { page, faults, elsewhere, violations: () => violationsOn(page) };
  };
  return { open, close: () => browser.close() };
}

/** What axe finds, as `rule: element`. By the devtools protocol, which the page's content security policy does not hold. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
