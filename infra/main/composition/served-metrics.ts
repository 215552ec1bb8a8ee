import type { Served } from '../../http/index.ts';
import type { Metrics } from '../../metrics/index.ts';

/** Requests are counted by the contract's route; what matched none is one row. */
export const servedMetrics =
  (metrics: Metrics) =>
  ({ routeId, method, status, milliseconds }: Served): void =>
    metrics.request(routeId ?? 'none', method, status, milliseconds);
