import { setTimeout as delay } from 'node:timers/promises';
import type { Ends } from './task.ts';

/** Something is not as it is to be. */
export class Unmet extends Error {}

const limitMs = 5000;

/** Resolves once nothing is unmet any more. @throws Unmet with what still is after five seconds */
export async function allMet(unmet: () => Promise<string | undefined>): Promise<void> {
  const endsAt = performance.now() + limitMs;
  let problem = await unmet();
  while (problem !== undefined && performance.now() < endsAt) {
    await delay(200);
    problem = await unmet();
  }
  if (problem !== undefined) throw new Unmet(problem);
}

/** What is not on a page that is to be, or the other way round. */
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
