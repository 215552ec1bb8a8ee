import { Type, closed } from '../../../../contracts/schema.ts';
import type { Clock } from '../../../clock.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import type { OperationTable } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Page } from '../page.ts';
import { capture } from './capture.ts';
import { perform } from './interact.ts';
import { login } from './login.ts';
import { open } from './navigate.ts';
import { search, type SearchEngine } from './search.ts';
import { meet } from './wait.ts';

export interface OperationsOptions {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly searchEngines: Readonly<Record<string, SearchEngine>>;
}

const stateShape = shape(
  closed({ title: Type.String(), local_storage: Type.Record(Type.String(), Type.String()) }),
);
const extracted = shape(closed({ data: Type.Unknown(), matched: Type.Boolean() }));

/** Every operation on a real page. */
export function webKitOperations(
  page: Page,
  { guard, clock, searchEngines }: OperationsOptions,
): OperationTable {
  return {
    navigate: async (input, limits) => {
      const elapsed = stopwatch();
      const { url, status } = await open(page, guard, input, limits);
      return { final_url: url, status, duration_ms: elapsed() };
    },
    interact: async ({ action }, limits) => {
      const elapsed = stopwatch();
      const summary = await perform(page, action, limits);
      return { kind: action.kind, duration_ms: elapsed(), summary };
    },
    wait: async ({ condition }, limits) => {
      const elapsed = stopwatch();
      await meet(page, condition, limits);
      return { matched: true, duration_ms: elapsed() };
    },
    state_capture: async (_input, limits) => {
      const [url, cookies, state] = await Promise.all([
        page.url(limits),
        page.cookies(limits),
        page.run('state', null, stateShape, limits),
      ]);
      return { url, cookies, ...state, captured_at: clock.now().toISOString() };
    },
    capture: async ({ kind }, limits) => {
      const elapsed = stopwatch();
      const content = await capture[kind](page, limits);
      return { kind, ...content, duration_ms: elapsed() };
    },
    extract: async ({ schema, selector }, limits) => {
      const elapsed = stopwatch();
      const { data, matched } = await page.run('extract', { schema, selector }, extracted, limits);
      return { data, matched, duration_ms: elapsed() };
    },
    search: async (input, limits) => {
      const elapsed = stopwatch();
      const found = await search(page, guard, searchEngines, input, limits);
      return { ...found, duration_ms: elapsed() };
    },
    login: async (input, limits) => {
      const elapsed = stopwatch();
      const outcome = await login(page, guard, input, limits);
      return { ...outcome, final_url: await page.url(limits), duration_ms: elapsed() };
    },
  };
}

/** Whole milliseconds since it was made. */
function stopwatch(): () => number {
  const begin = performance.now();
  return () => Math.round(performance.now() - begin);
}
