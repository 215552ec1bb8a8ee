import { stopPostgres } from './postgres.ts';
import { stopRedis } from './redis.ts';
import { stopStacks } from './stack.ts';
import { removeTempDirs } from './temp-dir.ts';

/** For the ends of what is shared, and of whatever a test that failed left behind; milliseconds. */
const END_LIMIT_MS = 60_000;

/** Ends what the run's tests shared. Mocha calls it once, after the last suite; the process must then end by itself. */
export async function mochaGlobalTeardown(): Promise<void> {
  setTimeout(giveUp, END_LIMIT_MS).unref();
  await stopStacks();
  await stopRedis();
  await stopPostgres();
  removeTempDirs();
}

function giveUp(): void {
  process.stderr.write(`Still open after the tests: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
}
