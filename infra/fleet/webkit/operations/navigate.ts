import type { Navigate } from '../../../../contracts/resources/session.ts';
import { OutboundRefused, type OutboundGuard } from '../../../outbound/guard.ts';
import { pageFailure, type OperationLimits } from '../../node/driver.ts';
import type { Page } from '../page.ts';

/** Opens an address. The address itself is checked here; what it resolves and redirects to is checked by the proxy. */
export async function open(
  page: Page,
  guard: OutboundGuard,
  { url, wait_until = 'load', credentials }: Pick<Navigate, 'url' | 'wait_until' | 'credentials'>,
  limits: OperationLimits,
): Promise<{ url: string; status: number | null }> {
  const address = checked(guard, url);
  const loaded = await page.load(address, { waitUntil: wait_until, credentials }, limits);
  // For a port on its block list, WebKit shows a blank page.
  if (loaded.url === 'about:blank' && address !== 'about:blank') {
    throw pageFailure('page_load_failed', 'The browser does not open this address.');
  }
  return loaded;
}

function checked(guard: OutboundGuard, url: string): string {
  if (url === 'about:blank') return url;
  try {
    return guard.checkUrl(url).href;
  } catch (error) {
    if (error instanceof OutboundRefused) throw pageFailure('page_load_failed', error.message);
    throw error;
  }
}
