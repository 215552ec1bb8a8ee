export { createHealth, type Check, type Health } from './health.ts';
export { createMetrics, type Metrics, type Reading } from './metrics.ts';
