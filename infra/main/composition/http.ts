import type { ServedRequest } from '../../http/index.ts';
import { createServedRequests } from '../../ephemeral/index.ts';
import type { Config } from '../../config/index.ts';
import { createRateLimits, type RateCaller, type RateLimits } from '../../rate-limits/index.ts';
import { answerLevels, levelsWithPeer } from '../../rate-limits/peers.ts';
import type { RoleContext } from '../roles/role.ts';
import { openPostgres, type Opening } from './stores.ts';
import { writeUrl } from './peers.ts';
import type { Keys } from './ports.ts';

/** Shared through Redis if the queue is one, unless `apart`; otherwise each process counts alone. */
export function openRateLimits(
  { config, logger, lifetime }: Opening,
  { apart = false }: { readonly apart?: boolean } = {},
): RateLimits {
  const redis = apart ? undefined : redisUrl(config);
  const limits = createRateLimits({
    logger,
    enforced: config.RATE_LIMITS === 'on',
    failures: { burst: config.AUTH_FAILURES, windowMs: config.AUTH_FAILURES_WINDOW },
    ...(redis !== undefined && { redisUrl: redis }),
  });
  lifetime.defer('rate limits', () => limits.close());
  return limits;
}

const redisUrl = ({ QUEUE_URL }: Config): string | undefined =>
  QUEUE_URL?.startsWith('redis') ? QUEUE_URL : undefined;

/** Levels of an account's buckets over all processes: without Redis, queried from write-api. */
export function openRateLevels(
  { config, peppers, tls }: Pick<Keys, 'config' | 'peppers' | 'tls'>,
  limits: RateLimits,
) {
  if (redisUrl(config) !== undefined) return (caller: RateCaller) => limits.levels(caller);
  return levelsWithPeer(limits, { url: writeUrl(config), secret: peppers.newest, tls });
}

/** The routes by which write-api answers these queries. */
export const rateLevelRoutes = ({ peppers }: Pick<Keys, 'peppers'>, limits: Pick<RateLimits, 'levels'>) =>
  answerLevels(limits, peppers.inUse);

/**
 * Counts requests by the contract's route, logs one line for each, and records its answer in the background, on a connection
 * without synchronous commit. Unmatched requests are one row.
 */
export function openServed(context: RoleContext): (served: ServedRequest) => void {
  const { name, metrics, clock, logger, lifetime } = context;
  const { pool } = openPostgres(context, `${name} requests`, { hasty: true, maxConnections: 1 });
  const requests = createServedRequests({ pool, clock, logger });
  lifetime.defer('record of requests', requests.close);
  return (served) => {
    metrics.request(served.routeId ?? 'none', served.method, served.status, served.milliseconds);
    requests.record(served);
    if (!served.isOwn) logger.info(lineOf(served), 'Answered.');
  };
}

/** The log line of a request, with nothing written by its client except the request's id. */
const lineOf = ({ requestId, accountId, traceId, routeId, method, status, milliseconds }: ServedRequest) => ({
  ...{ request_id: requestId, account_id: accountId, trace_id: traceId },
  ...{ route: routeId, method, status, duration_ms: Math.round(milliseconds * 10) / 10 },
});
