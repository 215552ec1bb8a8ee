export { createHealth, type Check, type Health } from './health.ts';
export { createMetrics, LAG_INTERVAL_MS, type Metrics } from './metrics.ts';
