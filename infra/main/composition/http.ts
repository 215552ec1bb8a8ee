import type { Served } from '../../http/index.ts';
import { createServedRequests } from '../../ephemeral/index.ts';
import type { Config } from '../../config/index.ts';
import { createRateLimits, type RateCaller, type RateLimits } from '../../rate-limits/index.ts';
import { answerLevels, levelsWithPeer } from '../../rate-limits/peers.ts';
import type { RoleContext } from '../roles/role.ts';
import { openPostgres, type Opening } from './stores.ts';
import { writeUrl } from './peers.ts';
import type { Keys } from './ports.ts';

/** Shared through Redis when the queue is one, unless it is to be `apart`; else each process counts for itself. */
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

/** Levels of an account's buckets in all processes: without Redis, write-api is asked for its own. */
export function openRateLevels(
  { config, peppers, tls }: Pick<Keys, 'config' | 'peppers' | 'tls'>,
  limits: RateLimits,
) {
  if (redisUrl(config) !== undefined) return (caller: RateCaller) => limits.levels(caller);
  return levelsWithPeer(limits, { url: writeUrl(config), secret: peppers.newest, tls });
}

/** Where write-api is asked for them. */
export const rateLevelRoutes = ({ peppers }: Pick<Keys, 'peppers'>, limits: Pick<RateLimits, 'levels'>) =>
  answerLevels(limits, peppers.inUse);

/**
 * Requests are counted by the contract's route, and have a line in the log each; what matched none is one row. How each was answered is recorded behind it, on a
 * connection of its own that waits for no disk.
 */
export function openServed(context: RoleContext): (served: Served) => void {
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

/** The one line of a request: nothing that its client wrote but the request's id. */
const lineOf = ({ requestId, accountId, traceId, routeId, method, status, milliseconds }: Served) => ({
  ...{ request_id: requestId, account_id: accountId, trace_id: traceId },
  ...{ route: routeId, method, status, duration_ms: Math.round(milliseconds * 10) / 10 },
});
