import type { OperationInput, OperationResult } from '../../../../contracts/fleet/operations.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import type { OperationLimits } from '../../node/driver.ts';
import type { Happened, Page } from '../page.ts';
import { perform } from './interact.ts';
import { open } from './navigate.ts';
import { strictly } from './target.ts';

type Untimed<O extends 'interact' | 'navigate'> = Omit<OperationResult<O>, 'duration_ms'>;

/** Does one action and waits for what it has begun. The page that the next operation meets is the one that it led to. */
export async function act(
  page: Page,
  { action, dialogs, strict = false }: OperationInput<'interact'>,
  limits: OperationLimits,
): Promise<Untimed<'interact'>> {
  const acted = strict ? strictly(page) : page;
  const settled = await page.act(() => perform(acted, action, limits), { dialogs }, limits);
  const { done, loadFailed, tab } = settled;
  const summary = loadFailed ? `${done} The page it led to could not be loaded.` : done;
  return { kind: action.kind, summary, ...happened(settled), ...(tab === undefined ? {} : { tab_id: tab }) };
}

/** Opens an address. One that leads to a file is answered with the file; the page of before stays. */
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
