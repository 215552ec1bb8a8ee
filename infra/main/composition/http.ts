import type { Served } from '../../http/index.ts';
import type { Metrics } from '../../metrics/index.ts';
import { createRateLimits, type RateLimits } from '../../rate-limits/index.ts';
import type { RoleContext } from '../roles/role.ts';

/** Shared through Redis when the queue is one; else each process counts for itself. */
export function openRateLimits({ config, logger, lifetime }: RoleContext): RateLimits {
  const redis = config.QUEUE_URL?.startsWith('redis') ? config.QUEUE_URL : undefined;
  const limits = createRateLimits({
    logger,
    enforced: config.RATE_LIMITS === 'on',
    failures: { burst: config.AUTH_FAILURES, windowMs: config.AUTH_FAILURES_WINDOW },
    ...(redis !== undefined && { redisUrl: redis }),
  });
  lifetime.defer('rate limits', () => limits.close());
  return limits;
}

/** Requests are counted by the contract's route; what matched none is one row. */
export const servedMetrics =
  (metrics: Metrics) =>
  ({ routeId, method, status, milliseconds }: Served): void =>
    metrics.request(routeId ?? 'none', method, status, milliseconds);
