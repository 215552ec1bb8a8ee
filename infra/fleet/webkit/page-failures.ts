import { parsedUrl } from '../../../contracts/url.ts';
import type { FailureCategory } from '../../../contracts/operations.ts';
import type { FilteringProxy } from '../../outbound/proxy.ts';
import {
  OperationFailed,
  driverFailure,
  pageFailure,
  timeoutFailure,
  type OperationLimits,
} from '../node/driver.ts';
import { HostError, HostGone } from './host-channel.ts';

/** The document was replaced before it answered an operation. */
export class PageReplaced extends OperationFailed {
  constructor(options: ErrorOptions) {
    const reason = 'The page changed or failed while it was being used.';
    super({ kind: 'page', category: 'unknown', reason }, options);
  }
}

/** Read-only operations are repeated when the document is replaced meanwhile: their subject is the current page. */
export async function untilPageStays<R>({ signal }: OperationLimits, read: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PageReplaced) || signal.aborted) throw error;
    }
  }
}

const loadFailures: ReadonlyMap<string, string> = new Map([
  ['tls_failed', 'The certificate of the site is not valid.'],
  ['no_page', 'The address answered without a page.'],
  ['stopped', 'The load was stopped by the page before.'],
]);

/** Why a load failed. The proxy knows when the address was refused or could not be reached. */
export function explain(error: unknown, proxy: FilteringProxy, limits: OperationLimits): Error {
  if (!(error instanceof HostError)) return translate(error, limits, 'page_load_failed');
  const host = parsedUrl(error.url ?? '')?.hostname ?? '';
  const reason = loadFailures.get(error.code) ?? proxy.problem(host);
  return pageFailure('page_load_failed', reason ?? 'The page could not be loaded.');
}

/** Refusals of the host that have a message of their own. */
const refusals: ReadonlyMap<string, OperationFailed> = new Map([
  ['no_tab', pageFailure('invalid_request', 'There is no such tab.')],
  ['last_tab', pageFailure('invalid_request', 'The last tab of a session cannot be closed.')],
  ['too_large', pageFailure('result_too_large', 'The result is larger than the browser may answer with.')],
  [
    'too_long',
    pageFailure(
      'result_too_large',
      'The page or the element is too long for one picture, or too wide: scroll, and take what is in view.',
    ),
  ],
  ['no_entry', pageFailure('invalid_request', 'The history of the tab ends there.')],
  [
    'cookies_refused',
    pageFailure('invalid_request', 'The browser does not take one of the cookies: none is set.'),
  ],
]);
export const refusalOf = (error: unknown): OperationFailed | undefined =>
  error instanceof HostError ? refusals.get(error.code) : undefined;

export function translate(error: unknown, { signal }: OperationLimits, category: FailureCategory): Error {
  if (error instanceof HostGone) return driverFailure('The browser is gone.', { cause: error });
  if (signal.aborted) return timeoutFailure(category, 'The operation did not finish in time.');
  if (error instanceof HostError && error.code === 'replaced') return new PageReplaced({ cause: error });
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  if (error instanceof HostError)
    return pageFailure(category, 'The page changed or failed while it was being used.');
  return error instanceof Error ? error : driverFailure('The browser failed.', { cause: error });
}
