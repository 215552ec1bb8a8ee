import { setTimeout as delay } from 'node:timers/promises';
import type { Ends } from './task.ts';

/** An expectation is not met. */
export class Unmet extends Error {}

const limitMs = 5000;

/** Resolves once all expectations are met. @throws Unmet with the first unmet one after five seconds */
export async function allMet(unmet: () => Promise<string | undefined>): Promise<void> {
  const endsAt = performance.now() + limitMs;
  let problem = await unmet();
  while (problem !== undefined && performance.now() < endsAt) {
    await delay(200);
    problem = await unmet();
  }
  if (problem !== undefined) throw new Unmet(problem);
}

/** The first expectation about a page that is not met; undefined if all are. */
export function unmetIn(
  page: { readonly url: string; readonly text: string },
  { at, shows = [], hides = [] }: Pick<Ends, 'at' | 'shows' | 'hides'>,
): string | undefined {
  if (at !== undefined && new URL(page.url).pathname !== at) return `the page is ${page.url}`;
  const missing = shows.find((part) => !page.text.includes(part));
  if (missing !== undefined) return `the page does not show "${missing}"`;
  const surplus = hides.find((part) => page.text.includes(part));
  return surplus === undefined ? undefined : `the page shows "${surplus}"`;
}
