export { createHealth, type Check, type Health } from './health.ts';
export { createMetrics, type Labels, type Metrics, type Reading } from './metrics.ts';
