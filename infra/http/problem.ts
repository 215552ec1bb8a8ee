import type { RequestListener, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isOfOtherVersion, isPostgresOutage } from '../postgres/outage.ts';
import { edgeOf, requestIdFrom, type Edge } from './edge.ts';
import { problems, Refusal, refuse, type ProblemSlug } from '../../contracts/problems.ts';

export { invalid, type FieldError } from '../../contracts/field-errors.ts';

interface ProblemNames {
  readonly errorsBase: string;
  readonly requestId: string;
}

/** The body of a problem: the members of RFC 9457, and the extensions. */
export const problemBody = (
  { slug, message, extensions }: Refusal,
  { errorsBase, requestId }: ProblemNames,
) => ({
  ...extensions,
  type: `${errorsBase}/${slug}`,
  title: problems[slug].title,
  status: problems[slug].status,
  detail: message,
  instance: requestId,
});

/** Slugs without `Retry-After`, because the waiting time is unknown. */
const neverRetryAfter: ReadonlySet<string> = new Set<ProblemSlug>(['concurrency-limit']);

const refusedKeys: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'invalid-key',
  'revoked-key',
  'expired-key',
]);

/** True if the problem is the sent credential. */
export const refusesKey = ({ slug }: Refusal): boolean => refusedKeys.has(slug);

/** Without a key, the challenge names no error (RFC 6750, 3.1). */
const challenge = (refusal: Refusal): string =>
  `Bearer realm="service"${refusesKey(refusal) ? ', error="invalid_token"' : ''}`;

/** `Retry-After` of a problem, if known. */
export const retryAfter = (
  slug: string,
  { retry_after_seconds: seconds }: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  typeof seconds === 'number' && !neverRetryAfter.has(slug)
    ? { 'Retry-After': String(Math.ceil(seconds)) }
    : {};

export function problemHeaders(refusal: Refusal): Record<string, string> {
  const { slug, extensions } = refusal;
  return {
    'Content-Type': 'application/problem+json',
    ...retryAfter(slug, extensions),
    ...(problems[slug].status === 401 && { 'WWW-Authenticate': challenge(refusal) }),
  };
}

/** Answers a request that reaches no API. */
export function writeProblem(
  response: ServerResponse,
  refusal: Refusal,
  names: ProblemNames,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = problemBody(refusal, names);
  const all = { ...problemHeaders(refusal), 'X-Request-Id': names.requestId, ...headers };
  response.writeHead(body.status, all);
  response.end(JSON.stringify(body));
}

/** Refuses every request, before any API. */
export const refusing =
  (errorsBase: string, refusal: () => Refusal, headers?: Readonly<Record<string, string>>): RequestListener =>
  (request, response) => {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    writeProblem(response, refusal(), { errorsBase, requestId }, headers);
  };

/** Errors of express before a handler runs: an invalid request target. */
const isBadTarget = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL';

/** `Retry-After` in seconds while the event log, Postgres, or a table of this version is unavailable. */
const retryAfterSeconds = 2;

const sendAgain = 'The request may be sent again.';
const lookFirst = {
  unkeyed: 'Whether this change was made is unknown: look before sending it again.',
  keyed: 'Whether this change was made is unknown: repeat it with its Idempotency-Key.',
} as const;

/** The 503 of an outage. `what`: the first sentence of its detail; `advice`: the last one. */
class Outage extends Refusal {
  readonly what: string;

  constructor(what: string, advice = sendAgain) {
    super('feature-unavailable', `${what} ${advice}`, { retry_after_seconds: retryAfterSeconds });
    this.what = what;
  }
}

/**
 * Answers 503 with `Retry-After`. `what`: the first sentence of its detail. It ends with what to do: the request may be sent
 * again, unless it may have made a change.
 */
export const unavailable = (what: string): Refusal => new Outage(what);

/** The answer to an error. `mayHaveChanged`: set if the request may have made a change before the error. */
export function refusalOf(error: unknown, mayHaveChanged: Edge['mayHaveChanged']): Refusal {
  const advice = mayHaveChanged === undefined ? sendAgain : lookFirst[mayHaveChanged];
  if (error instanceof Outage) return new Outage(error.what, advice);
  if (error instanceof Refusal) return error;
  if (isBadTarget(error)) return refuse('bad-request', 'The target of the request is not a valid address.');
  if (isPostgresOutage(error)) return new Outage('The service cannot reach its data right now.', advice);
  if (isOfOtherVersion(error))
    return new Outage('The data that this request reads is being rebuilt.', advice);
  return refuse('internal', `${problems.internal.detail} ${advice}`);
}

export const isRateLimited = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.slug === 'rate-limited';

/** The client disconnected before the answer started. */
const isClientGone = (error: unknown, response: Response): boolean =>
  response.destroyed &&
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** The one place that turns an error into an answer. Unexpected errors are logged and not disclosed. */
export function answerProblems(
  send: (response: Response, refusal: Refusal) => Promise<void>,
  logger: Logger,
): ErrorRequestHandler {
  const answer = async (error: unknown, response: Response): Promise<void> => {
    const { requestId, mayHaveChanged } = edgeOf(response);
    const refusal = refusalOf(error, mayHaveChanged);
    const about = { err: error, request_id: requestId };
    if (refusal.slug === 'internal') logger.error(about, 'Request failed.');
    else if (!(error instanceof Refusal) && refusal.slug === 'feature-unavailable')
      logger.warn(about, 'Postgres is unavailable, or its tables are of another version.');
    await send(response, refusal);
  };
  return async (error: unknown, _request, response, _next) => {
    if (response.headersSent || isClientGone(error, response)) response.destroy();
    else await answer(error, response).catch((fault: unknown) => answer(fault, response));
  };
}
