import { Internal, problemClass } from './generated/problems.ts';
import { ConnectionFailed, ServiceError, UnknownOutcome, slugOf } from './errors.ts';
import { TimedOut } from './limit.ts';
import type { HttpResponse } from './options.ts';
import type { Operation } from './operation.ts';

/** A failed try. */
export interface Failure {
  readonly error: ServiceError;
  /** True if a retry may succeed. */
  readonly passing: boolean;
  /**
   * True: the request may have taken effect. False: no try of the call has, because this is the answer stored under its key.
   * Undefined: this try has not; earlier ones are still unknown.
   */
  readonly mayHaveHappened: boolean | undefined;
  /** The reason for `mayHaveHappened`, as a sentence. */
  readonly because: string;
}

const longestText = 300;

/** The error of an answer: the class of its problem's type, or `Internal` for an unknown one, as the contract requires. */
export function errorOf(response: HttpResponse, text: string, framed?: number): ServiceError {
  const status = framed ?? response.status;
  const problem = problemIn(text);
  const type = textField(problem, 'type');
  const facts = {
    status,
    type,
    title: textField(problem, 'title') || `HTTP ${status}`,
    detail: textField(problem, 'detail') || (problem === undefined ? text.trim().slice(0, longestText) : ''),
    requestId: textField(problem, 'instance') || (response.headers.get('x-request-id') ?? ''),
    retryAfter: retryAfterOf(response, problem),
    problem,
    response,
  };
  // The contract requires an unknown type to be handled as `internal`.
  const known =
    problemClass(slugOf(type)) ?? (type === '' ? undefined : { name: 'Internal', Problem: Internal });
  return known === undefined ? new ServiceError(facts) : new known.Problem({ ...facts, name: known.name });
}

type Problem = Readonly<Record<string, unknown>> | undefined;

function problemIn(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'type' in value ? { ...value } : undefined;
  } catch {
    // A proxy's page: the error quotes its beginning.
    return undefined;
  }
}

const textField = (problem: Problem, name: string): string => {
  const value = problem?.[name];
  return typeof value === 'string' ? value : '';
};

/** In seconds, from the header or, in the last frame of a stream, from the problem. */
function retryAfterOf(response: HttpResponse, problem: Problem): number | undefined {
  const header = response.headers.get('retry-after');
  const field = problem?.retry_after_seconds;
  if (header === null) return typeof field === 'number' ? field : undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

const edge: ReadonlySet<number> = new Set([502, 503, 504]);

/** Classifies an unsuccessful answer. */
export function refused(error: ServiceError, { keyed }: Operation): Failure {
  const { status, slug, response } = error;
  const isStored = response?.headers.get('idempotency-replayed') === 'true';
  const waits = error.retryAfter !== undefined;
  const isOpen =
    (edge.has(status) && problemClass(slug) === undefined) ||
    (waits && (status === 503 || (keyed && slug === 'conflict')));
  return {
    error,
    passing: !isStored && (isOpen || (waits && status === 429)),
    mayHaveHappened: isStored ? false : isOpen || undefined,
    because: `It was answered with ${status} ${slug}`.trimEnd() + '.',
  };
}

/** Node's errors of connections that were never made: nothing was sent. */
const unsent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Classifies a connection that ended before a complete answer. `response`: the received part; `id`: the request id that was
 * sent.
 */
export function broken(cause: unknown, response?: HttpResponse, id = ''): Failure {
  const detail =
    cause instanceof TimedOut
      ? cause.message
      : response === undefined
        ? 'The connection broke before an answer came.'
        : `The answer with status ${response.status} ended early.`;
  const error = new ConnectionFailed({
    status: 0,
    type: '',
    title: 'No answer came',
    detail,
    requestId: response?.headers.get('x-request-id') ?? id,
    response,
    cause,
  });
  return { error, passing: true, mayHaveHappened: !unsent.has(codeOf(cause)) || undefined, because: detail };
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  return code ?? codeOf(error.cause);
}

/**
 * The error after the last try. For a change that a try may have made, it has the call's key and says that the outcome is
 * unknown, unless it is the service's own 503 to a call with a key, which says to repeat it.
 */
export function verdictOf(
  { error, because }: Failure,
  operation: Operation,
  key: string | undefined,
  inDoubt: boolean,
): ServiceError {
  if (!inDoubt || operation.isRead) return error;
  const { keyed, repeatable } = operation;
  const ask = repeatable
    ? `The same call${keyed ? ' with its key' : ''} takes effect once.`
    : `It was sent once: ask requests.get('${error.requestId}').`;
  const { status, slug, response } = error;
  const more = { response, detail: because, cause: error, ask };
  const isOwn = keyed && status === 503 && slug !== '';
  const verdict = isOwn ? error : new UnknownOutcome(Object.assign({}, error, more));
  return Object.assign(verdict, keyed && { idempotencyKey: key });
}

/** Milliseconds until the next try: the service's `retry_after`, else a back-off. */
export const waitBefore = (attempt: number, { error: { retryAfter } }: Failure): number =>
  retryAfter === undefined ? backOff(attempt) : retryAfter * 1000;

/** Back-off in milliseconds before try `attempt`, from 1: full jitter, doubling, up to eight seconds. */
export const backOff = (attempt: number): number => Math.random() * Math.min(8_000, 250 * 2 ** attempt);
