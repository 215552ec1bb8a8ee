export { createHealth, type Check, type Health } from './health.ts';
export { createMetrics, type Metrics } from './metrics.ts';
