import { stopPostgres } from './postgres.ts';
import { stopRedis } from './redis.ts';
import { stopStacks } from './stack.ts';
import { removeTempDirs } from './temp-dir.ts';

/** Ends what the run's tests shared. Mocha calls it once, after the last suite. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopStacks();
  await stopRedis();
  await stopPostgres();
  removeTempDirs();
}
