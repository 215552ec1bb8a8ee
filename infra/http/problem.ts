import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isPostgresOutage } from '../postgres/outage.ts';
import { edgeOf } from './locals.ts';
import { problems, Refusal, refuse, type ProblemSlug } from '../../contracts/problems.ts';

export interface FieldError {
  /** JSON pointer into the request: `/body/action/kind`, `/query/limit`, `/headers/idempotency-key`. */
  readonly path: string;
  /** The JSON Schema keyword that failed, or `text`. */
  readonly code: string;
  readonly message: string;
}

export const invalid = (...errors: FieldError[]): Refusal =>
  refuse('validation-failed', errors.map(({ path, message }) => `${path} ${message}`).join('; '), { errors });

/** The body of a problem: the members of RFC 9457, then the extensions beside them. */
export const problemBody = (
  { slug, message, extensions }: Refusal,
  { errorsBase, requestId }: { errorsBase: string; requestId: string },
) => ({
  ...extensions,
  type: `${errorsBase}/${slug}`,
  title: problems[slug].title,
  status: problems[slug].status,
  detail: message,
  instance: requestId,
});

/** Slugs whose waiting time is not known, so that a `Retry-After` would mislead. */
const neverRetryAfter: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>(['concurrency-limit']);

export function problemHeaders({ slug, extensions }: Refusal): Record<string, string> {
  const seconds = extensions.retry_after_seconds;
  const headers = { 'Content-Type': 'application/problem+json' };
  return typeof seconds === 'number' && !neverRetryAfter.has(slug)
    ? { ...headers, 'Retry-After': String(Math.ceil(seconds)) }
    : headers;
}

/** What express itself refuses before a handler runs: a path that does not decode. */
const isBadPath = (error: unknown) =>
  error instanceof URIError ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL');

/** Seconds after which a client may try again while Postgres is away. */
const retryAfterSeconds = 2;
const outage = (): Refusal =>
  refuse(
    'feature-unavailable',
    'The service cannot reach its data right now. The request may be sent again.',
    {
      retry_after_seconds: retryAfterSeconds,
    },
  );

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isBadPath(error))
    return invalid({ path: '/path', code: 'text', message: 'must be percent-encoded UTF-8' });
  if (isPostgresOutage(error)) return outage();
  return refuse('internal', 'The request failed for a reason of ours. It may be sent again.');
}

/** The one place where an error becomes an answer. What is not a refusal is logged and told to nobody. */
export function answerProblems(
  send: (response: Response, refusal: Refusal) => Promise<void>,
  logger: Logger,
): ErrorRequestHandler {
  const answer = async (error: unknown, response: Response): Promise<void> => {
    const refusal = refusalOf(error);
    const about = { err: error, request_id: edgeOf(response).requestId };
    if (refusal.slug === 'internal') logger.error(about, 'Request failed.');
    else if (refusal !== error && refusal.slug === 'feature-unavailable')
      logger.warn(about, 'Postgres is away');
    await send(response, refusal);
  };
  return async (error: unknown, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else await answer(error, response).catch((fault: unknown) => answer(fault, response));
  };
}
