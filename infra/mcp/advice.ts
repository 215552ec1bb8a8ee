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
  'not-found':
    'Check the id: list_browsers and list_profiles show what exists; ask the person for the id of a recipe, a proxy or an archetype.',
  'session-destroyed': 'That browser has ended: open another with open_browser.',
  conflict: 'Another operation is running there: wait a second or two, then try again.',
  'profile-in-use': 'Close the browser that has the profile with close_browser, or use that one.',
  'concurrency-limit': 'Close a browser that is not needed with close_browser, then try again.',
  'tier-limit':
    'The limit of the plan is reached: the person can delete what is not needed, or change the plan.',
  'session-timeout': 'Look at the page: the condition may be met by now, or may never be.',
  'proxy-validation-failed': 'Open without the proxy, or with another one.',
  'driver-not-integrated': 'No browser can do that here at the moment; try again later.',
  'feature-unavailable': 'Try again in a moment; if it still fails, this service does not offer it.',
  'validation-failed': 'Correct the arguments; the resource service://reference has them all.',
  'bad-request': 'Correct the arguments; the resource service://reference has them all.',
  forbidden: 'The key does not permit that, or the plan of the account does not include it.',
  'legal-acceptance-required':
    'Have the owner of the account accept the terms in the console: nothing works before that.',
  'byok-llm-required':
    'The agent of the service needs a model: use act, or have the account store a model-provider key.',
  'bundled-llm-consent-required':
    'The agent of the service needs a model: use act, or have the account consent to the bundled one.',
  'bundled-llm-budget-exhausted':
    'Use act: more of the bundled model takes a higher cap of the account, or the next month.',
  'storage-quota-exceeded':
    'Open without the profile: the person can trim or delete profiles, or change the plan.',
  'model-unavailable': 'Use act, or try again later.',
};
const checkFirst = 'Check what was done before you ask for any of it again.';
/** The same where the answer does not say when another try may succeed. */
const nextWithoutTime: Readonly<Record<string, string>> = {
  'driver-not-integrated': 'No browser can do that here at the moment.',
  'feature-unavailable': checkFirst,
  'model-unavailable': 'Use act.',
};
/** After steps that another try would repeat, or while the agent does not have the controls. */
const onlyTheRest =
  'Look at the page as it is now, and ask only for what is left; while a person has the controls, wait until they give them back.';
const paused =
  'No tool can resume it: have a person solve the challenge and resume it in the console, or resume it over the API.';
const again = 'Try again in a moment.';
const otherKey = 'Use another key, or the arguments that this one was first used with.';
const unauthorized = 'The key is not accepted: set a valid one in the configuration of this server.';
const page =
  'Look at the page as it is now, and name the element by its ref; if the page keeps redrawing it, by role and name.';

/** What failed, and the next step. Details may contain words of a page. */
export function describeFailure(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof UnknownOutcome)
    return 'The answer was lost, and the call may have taken effect: check before repeating it.';
  if (!(error instanceof ServiceError)) return 'This server failed. Try again.';
  const { slug, status, detail, title, requestId } = error;
  const fields = error.is('validation-failed') ? error.errors.slice(0, 5).map(({ message }) => message) : [];
  return [
    oneLine(fields.length > 0 ? `Not valid: ${fields.join(' ')}` : detail || title, 400),
    adviceOn(error),
    ...(requestId === '' ? [] : [`(${slug || status}, ${requestId})`]),
  ].join(' ');
}

function adviceOn(error: ServiceError): string {
  const { slug, status, retryAfter } = error;
  if (slug === 'rate-limited') return `Wait ${retryAfter ?? 1} s, then try again.`;
  if (status === 401) return unauthorized;
  if (slug === 'driver-error') return page;
  return adviceOnAgent(error) ?? adviceOnConflict(error) ?? adviceOnFault(error) ?? next[slug] ?? again;
}

/** Undefined unless the agent does not have the controls, or its turn was interrupted. */
function adviceOnAgent({ problem }: ServiceError): string | undefined {
  if (problem.ai_control_unavailable === true || problem.partial_results !== undefined) return onlyTheRest;
  return problem.agent_session_status === 'paused' ? paused : undefined;
}

/** Undefined unless it is a conflict that does not pass by itself. */
function adviceOnConflict({ slug, detail, problem }: ServiceError): string | undefined {
  if (slug !== 'conflict') return undefined;
  if (problem.service_session_id !== undefined) return next['session-destroyed'];
  return detail.startsWith('The idempotency key was used') ? otherKey : undefined;
}

/** Undefined unless the service failed, or lacks something. */
function adviceOnFault({ slug, status, detail, retryAfter }: ServiceError): string | undefined {
  if (detail.endsWith('may be sent again.')) return again;
  const isFault = status === 500 || status === 503;
  return isFault && retryAfter === undefined
    ? (nextWithoutTime[slug] ?? next[slug] ?? checkFirst)
    : undefined;
}
