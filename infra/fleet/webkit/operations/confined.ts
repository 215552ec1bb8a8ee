import { elsewhere } from '../../../../contracts/fleet/operations.ts';
import { nothing } from '../ask.ts';
import type { Page } from '../page.ts';
import type { KeyStep } from '../steps.ts';

/** Operations that enter data into a page. */
const bringing: readonly string[] = ['prepareTyping', 'select', 'upload'];

/** The keys that a page gets at once (`host/gestures.js`). */
const keysAtOnce = 16;

/**
 * The same page, except that nothing is entered into documents of other sites, or into forms that are sent there.
 * Without sites it is not restricted. `stepsAtOnce`: the most that a page can get of a text if it takes the place of the
 * right one while the text is typed.
 */
export function confined(
  page: Page,
  sites: readonly string[] | undefined,
  stepsAtOnce: number = keysAtOnce,
): Page {
  if (sites === undefined) return page;
  const onlyOn = { sites, else: elsewhere };
  return {
    ...page,
    run: (script, input, expected, limits) =>
      page.run(script, bringing.includes(script) ? { ...input, onlyOn } : input, expected, limits),
    keys: async (steps, limits) => {
      for (const run of runsOf(steps, stepsAtOnce)) {
        await page.run('mayTake', { onlyOn }, nothing, limits);
        await page.keys(run, limits);
      }
    },
  };
}

/** Keys that may move the focus. */
const leaving: readonly string[] = ['Tab', 'Return'];

/** The steps in parts that are each checked before. A part ends with a key that may move the focus. */
function runsOf(steps: readonly KeyStep[], stepsAtOnce: number): readonly (readonly KeyStep[])[] {
  const runs: KeyStep[][] = [];
  let run: KeyStep[] = [];
  for (const step of steps) {
    if (run.length === 0) runs.push(run);
    run.push(step);
    const mayLeave = step.type === 'press' && leaving.includes(step.key);
    if (mayLeave || run.length === stepsAtOnce) run = [];
  }
  return runs;
}
