import { ServiceError, UnknownOutcome } from '../../contracts/client/index.ts';
import { oneLine } from './words.ts';

/** A failed tool call, with the next step to try. */
export class ToolError extends Error {
  constructor(detail: string, next = '') {
    super([detail, next].filter((each) => each !== '').join(' '));
  }
}

/** The next step for each problem; other errors include their own. */
const next: Readonly<Record<string, string>> = {
  'not-found': 'list_browsers and list_profiles show what there is.',
  'session-destroyed': 'That browser has ended: open another with open_browser.',
  conflict: 'Something else is at work there: wait a second or two, then try again.',
  'profile-in-use': 'Close the browser that has the profile with close_browser, or use that one.',
  'concurrency-limit': 'Close a browser that is not needed with close_browser, then try again.',
  'tier-limit': 'The plan of the account has no more of them.',
  'session-timeout': 'Look at the page: what it waited for may be there by now, or never come.',
  'proxy-validation-failed': 'Open without the proxy, or with another one.',
  'driver-not-integrated': 'No browser can do that here just now; try again later.',
  'feature-unavailable': 'Try again in a moment; where it stays so, it is not there on this service.',
  'validation-failed': 'Correct the arguments; the resource service://reference has them all.',
  'bad-request': 'Correct the arguments; the resource service://reference has them all.',
  forbidden: 'The key has no right to that, or the plan of the account has it not.',
  'byok-llm-required': 'Its own agent needs a model: do it with act, or have the account set a model key.',
  'bundled-llm-consent-required': 'Its own agent needs a model: do it with act, or have the account consent.',
  'model-unavailable': 'Do it with act, or try again later.',
};
const unauthorized = 'The key is not accepted: it has to be set anew where this server is configured.';
const page =
  'Look at the page as it is now, and name the element by its ref; one that is drawn again and again, by role and name.';

/** What failed, and the next step. Details may contain words of a page. */
export function describeFailure(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof UnknownOutcome)
    return 'The answer was lost, and it may have taken effect: look before doing it again.';
  if (!(error instanceof ServiceError)) return 'It failed within this server. Try again.';
  const { slug, status, detail, title, retryAfter, requestId } = error;
  const fields = error.is('validation-failed')
    ? error.errors.slice(0, 5).map(({ path, message }) => `${path} ${message}`)
    : [];
  return [
    oneLine(fields.length > 0 ? `Not valid: ${fields.join('; ')}.` : detail || title, 400),
    adviceOn({ slug, status, retryAfter }),
    ...(requestId === '' ? [] : [`(${slug || status}, ${requestId})`]),
  ].join(' ');
}

function adviceOn({
  slug,
  status,
  retryAfter,
}: Pick<ServiceError, 'slug' | 'status' | 'retryAfter'>): string {
  if (slug === 'rate-limited') return `Wait ${retryAfter ?? 1} s, then try again.`;
  if (status === 401) return unauthorized;
  if (slug === 'driver-error') return page;
  return next[slug] ?? 'Try again in a moment.';
}
