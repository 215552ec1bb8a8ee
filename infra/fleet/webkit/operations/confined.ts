import { elsewhere } from '../../../../contracts/fleet/operations.ts';
import { nothing } from '../ask.ts';
import type { Page } from '../page.ts';
import type { KeyStep } from '../steps.ts';

/** Operations that enter data into a page. */
const bringing: readonly string[] = ['prepareTyping', 'select', 'upload'];

/** The same page, except that nothing is entered into documents of other sites, or into forms that are sent there. */
export function confined(page: Page, sites: readonly string[]): Page {
  const onlyOn = { sites, else: elsewhere };
  return {
    ...page,
    run: (script, input, expected, limits) =>
      page.run(script, bringing.includes(script) ? { ...input, onlyOn } : input, expected, limits),
    keys: async (steps, limits) => {
      for (const run of runsOf(steps)) {
        await page.run('mayTake', { onlyOn }, nothing, limits);
        await page.keys(run, limits);
      }
    },
  };
}

/** Keys that may move the focus. */
const leaving: readonly string[] = ['Tab', 'Return'];

/** The steps, split after each key that may move the focus. */
function runsOf(steps: readonly KeyStep[]): readonly (readonly KeyStep[])[] {
  const ends = steps.flatMap((step, at) =>
    step.type === 'press' && leaving.includes(step.key) ? [at + 1] : [],
  );
  return [...ends, steps.length]
    .map((end, nth) => steps.slice(nth === 0 ? 0 : ends[nth - 1], end))
    .filter((run) => run.length > 0);
}
