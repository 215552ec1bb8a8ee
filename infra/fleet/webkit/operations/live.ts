import type { PageState } from '../../../../contracts/resources/live.ts';
import { Type, closed } from '../../../../contracts/schema.ts';
import { Observation, longestObservedText } from '../../../../contracts/resources/observation.ts';
import { firstSignal } from '../../../platform/first-signal.ts';
import { limitsOf, OperationFailed, type LiveTable, type OperationLimits } from '../../node/driver.ts';
import { assertWritable } from '../../node/cookies.ts';
import { shape } from '../../shape.ts';
import { untilPageStays } from '../page-failures.ts';
import type { Page } from '../page.ts';
import { metBy } from './act.ts';
import { strictly } from './strictly.ts';

/** The observation with the number of the last ref. */
const observed = shape(closed({ ...Observation.properties, last: Type.Integer({ minimum: 0 }) }));
const Box = closed({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() });
const secretBoxes = shape(closed({ boxes: Type.Array(Box, { maxItems: 10_000 }) }));

/** Milliseconds to wait for a page that is loading. After that its current state is reported. */
const patienceMs = 3_000;

/** Resolves once the page has loaded, has failed, or takes too long. */
async function comes(page: Page, limits: OperationLimits): Promise<void> {
  const patience = limitsOf(Math.min(patienceMs, limits.timeoutMs / 2));
  const signal = firstSignal(limits.signal, patience.signal);
  try {
    await page.reached('load', { ...patience, signal });
  } catch (error) {
    if (!(error instanceof OperationFailed) || error.failure.kind === 'driver') throw error;
  }
}

/**
 * Observes the page in front. Numbers of refs continue over all pages of the browser, so that a ref of an earlier page matches nothing on
 * the page in front, even if that was observed before.
 */
function looksAt(page: Page): LiveTable['observe'] {
  let last = 0;
  return async (_input, limits) => {
    await comes(page, limits);
    const seen = await untilPageStays(limits, () =>
      page.run('observe', { after: last, longestText: longestObservedText }, observed, limits),
    );
    const { last: given, ...observation } = seen;
    last = Math.max(last, given);
    return observation;
  };
}

/** Calls of a real browser beside its operations. */
export const webKitLive = (
  page: Page,
  cleared: (challengeId: string, limits: OperationLimits) => Promise<boolean>,
): LiveTable => ({
  page_state: async (_input, limits): Promise<PageState> => {
    const { problem, tab, ...seen } = await page.state(limits);
    return { ...seen, tabId: tab, error: problem };
  },
  cookies: async (_input, limits) => ({ cookies: await page.cookies(limits) }),
  cookies_set: async ({ cookies }, limits) => {
    assertWritable(cookies);
    await page.setCookies(cookies, limits);
    return null;
  },
  history: async ({ direction, tabId }, limits) => {
    await page.goInHistory(direction, tabId, limits);
    return null;
  },
  observe: looksAt(page),
  meet: async (target, limits) => (await metBy(strictly(page), target, limits)) ?? null,
  picture: (_input, limits) =>
    untilPageStays(limits, async () => {
      const { boxes } = await page.run('secretBoxes', null, secretBoxes, limits);
      const picture = await page.picture(boxes, limits);
      return { data: picture.toString('base64'), media_type: 'image/jpeg' as const };
    }),
  challenge: async ({ challenge_id }, limits) => ({ cleared: await cleared(challenge_id, limits) }),
  downloads: async (_input, limits) => {
    const kept = (await page.downloads(limits)).filter(({ state }) => state === 'finished');
    return { files: kept.map(({ name, size, mime }) => ({ name, size, mime })) };
  },
});
