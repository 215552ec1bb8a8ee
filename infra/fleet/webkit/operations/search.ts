import type { Search } from '../../../../contracts/resources/session.ts';
import { SearchResult } from '../../../../contracts/resources/session.ts';
import { closed } from '../../../../contracts/schema.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import { pageFailure, unavailableFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Page } from '../page.ts';
import { open } from './navigate.ts';

/** How to query and read one search engine. Selectors other than `result` are relative to a result. */
export interface SearchEngine {
  /** Contains `{query}` as the placeholder of the percent-encoded query. */
  readonly url: string;
  readonly result: string;
  readonly title: string;
  readonly link: string;
  readonly snippet?: string;
}

const found = shape(closed({ results: SearchResult.properties.results }));

/** The first engine is the default. */
export async function search(
  page: Page,
  guard: OutboundGuard,
  engines: Readonly<Record<string, SearchEngine>>,
  { query, engine: name = Object.keys(engines)[0], limit = 10 }: Search,
  limits: OperationLimits,
) {
  const known = name === undefined ? undefined : engines[name];
  if (name === undefined) throw unavailableFailure('No search engine is configured.');
  if (!known) throw pageFailure('invalid_request', 'There is no search engine of that name.');
  const { url, ...selectors } = known;
  await open(page, guard, { url: url.replaceAll('{query}', encodeURIComponent(query)) }, limits);
  const { results } = await page.run('results', { ...selectors, limit }, found, limits);
  return { results, final_url: await page.url(limits) };
}
