import { Type, closed } from '../../../../contracts/schema.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import { wrapOperations, type OperationLimits, type OperationTable } from '../../node/driver.ts';
import { timed } from '../../node/timed.ts';
import { explained } from '../../node/unmatched.ts';
import { shape } from '../../shape.ts';
import { sitesOf } from '../../sites.ts';
import { untilPageStays } from '../page-failures.ts';
import type { Page } from '../page.ts';
import { act, navigate } from './act.ts';
import { capture } from './capture.ts';
import { confined } from './confined.ts';
import { login } from './login.ts';
import { search, type SearchEngine } from './search.ts';
import { framesOf } from './target.ts';
import { meet } from './wait.ts';

export interface OperationsOptions {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly searchEngines: Readonly<Record<string, SearchEngine>>;
}

const extracted = shape(closed({ data: Type.Unknown(), matched: Type.Boolean() }));

/**
 * Every operation on a real page. A timed-out operation fails only once the browser has stopped working on it and answers again. If it does
 * not answer, as with an endless script or stopped processes, the failure is that of an unresponsive browser, not of an unmet condition.
 */
export function webKitOperations(page: Page, options: OperationsOptions): OperationTable {
  return wrapOperations(operationsOn(page, options), (run) => async (input, limits) => {
    try {
      return await run(input, limits);
    } catch (error) {
      if (limits.signal.aborted) await page.settled();
      throw error;
    }
  });
}

function operationsOn(page: Page, { guard, clock, searchEngines }: OperationsOptions): OperationTable {
  return {
    navigate: (input, limits) => timed(now, () => navigate(page, guard, input, limits)),
    interact: (input, limits) => timed(now, () => act(page, input, limits)),
    wait: ({ condition }, limits) =>
      timed(now, async () => {
        await meet(page, condition, limits);
        return { matched: true as const };
      }),
    state_capture: reading(async (_input, limits) => {
      const { tabs, page: state, ...captured } = await page.captureState(limits);
      // WebKit reports a new title a little later than the page sets it.
      const titled = tabs.map((tab) => (tab.active ? { ...tab, title: state.title } : tab));
      return { ...captured, tabs: titled, ...state, captured_at: clock.now().toISOString() };
    }),
    capture: reading((input, limits) =>
      timed(now, async () => ({ kind: input.kind, ...(await capture(page, input, limits)) })),
    ),
    extract: reading(({ schema, selector, frame }, limits) =>
      timed(now, async () => {
        const input = { schema, selector, frame: framesOf(frame) };
        return explained(await page.run('extract', input, extracted, limits));
      }),
    ),
    search: (input, limits) => timed(now, () => search(page, guard, searchEngines, input, limits)),
    login: (input, limits) =>
      timed(now, async () => {
        const within = confined(page, sitesOf(input.site), 1);
        const outcome = await login(within, guard, input, limits);
        return { ...outcome, final_url: await page.url(limits) };
      }),
  };
}

const reading =
  <I, R>(read: (input: I, limits: OperationLimits) => Promise<R>) =>
  (input: I, limits: OperationLimits): Promise<R> =>
    untilPageStays(limits, () => read(input, limits));

const now = () => performance.now();
