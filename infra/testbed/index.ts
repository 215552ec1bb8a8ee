export { freshDatabase, type TestDatabase } from './postgres.ts';
export { startRedis, type TestRedis } from './redis.ts';
export { tempDir } from './temp-dir.ts';
export { until, type UntilOptions } from './until.ts';
