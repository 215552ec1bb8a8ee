import type { OperationInput, OperationResult } from '../../../../contracts/fleet/operations.ts';
import { MetElement, type Target } from '../../../../contracts/resources/target.ts';
import { nullable } from '../../../../contracts/schema.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import { atMost, type OperationLimits } from '../../node/driver.ts';
import { namedElement } from '../../node/named-element.ts';
import type { Happened, Page } from '../page.ts';
import { confined } from './confined.ts';
import { perform } from './interact.ts';
import { open } from './navigate.ts';
import { shape } from '../../shape.ts';
import { strictly } from './strictly.ts';
import { targetOf } from './target.ts';

type Untimed<O extends 'interact' | 'navigate'> = Omit<OperationResult<O>, 'duration_ms'>;

/** Runs one action and waits for its consequences, so that the next operation sees the page that it led to. */
export async function act(
  page: Page,
  { action, dialogs, strict = false, only_on, found_within_ms = Infinity }: OperationInput<'interact'>,
  limits: OperationLimits,
): Promise<Untimed<'interact'>> {
  const within = confined(page, only_on);
  const acted = strict ? strictly(within) : within;
  // Only the wait for the element is shorter. A busy page still has the whole time to answer.
  const met = strict ? await metBy(acted, namedElement(action), atMost(limits, found_within_ms)) : undefined;
  const settled = await page.act(() => perform(acted, action, limits), { dialogs }, limits);
  const { done, loadFailed, isAwaited, tab } = settled;
  const more = loadFailed
    ? ' The page it led to could not be loaded.'
    : isAwaited
      ? ' The page it led to has not answered yet.'
      : '';
  return {
    ...{ kind: action.kind, summary: `${done}${more}`, ...happened(settled) },
    ...(tab !== undefined && { tab_id: tab }),
    ...(met && { met }),
  };
}

/** Describes an action's element so that it can be found on another visit. Waits for the element as the action would. */
export async function metBy(
  page: Page,
  named: Target,
  limits: OperationLimits,
): Promise<MetElement | undefined> {
  const located = targetOf(named);
  return located && ((await page.run('meet', located, metElement, limits)) ?? undefined);
}
const metElement = shape(nullable(MetElement));

/** Opens an address. If it leads to a file, the result describes the download; the previous page stays. */
export async function navigate(
  page: Page,
  guard: OutboundGuard,
  input: OperationInput<'navigate'>,
  limits: OperationLimits,
): Promise<Untimed<'navigate'>> {
  const { url, status } = await open(page, guard, input, limits);
  return { final_url: url, status, ...happened(await page.happened(limits)) };
}

const happened = ({ dialogs, downloads }: Happened) => ({
  ...(dialogs.length > 0 ? { dialogs } : {}),
  ...(downloads.length > 0 ? { downloads } : {}),
});
