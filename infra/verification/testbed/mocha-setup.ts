import { closeOpened } from './after-test.ts';
import { setCurrentTest, skippedTests } from './event-log.ts';
import { stopPostgres } from './postgres.ts';
import { stopRedis } from './redis.ts';
import { endShared } from './shared.ts';
import { stopStacks } from './stack.ts';
import { stopS3 } from './swift.ts';
import { removeTempDirs } from './temp-dir.ts';

/** Milliseconds to close what is shared, and what a failed test left behind. */
const END_LIMIT_MS = 60_000;

// A process of the service ends by a rejection that nobody handles. Mocha only passes it on to other listeners, and the test passes.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

export const mochaHooks: Mocha.RootHookObject = {
  beforeEach(this: Mocha.Context) {
    setCurrentTest(this.currentTest);
  },
  afterEach: closeOpened,
};

/**
 * Closes what the run's tests shared. Mocha calls it once, after the last suite; the process must then exit by itself.
 */
export async function mochaGlobalTeardown(): Promise<void> {
  setTimeout(giveUp, END_LIMIT_MS).unref();
  await endShared();
  await stopStacks();
  await stopRedis();
  await stopS3();
  await stopPostgres();
  removeTempDirs();
  const skipped = skippedTests();
  if (skipped.length > 0) {
    const names = skipped.map((name) => `\n  - ${name}`).join('');
    process.stdout.write(`\n${skipped.length} skipped, for they need the embedded event store:${names}\n`);
  }
}

function giveUp(): void {
  process.stderr.write(`Still open after the tests: ${process.getActiveResourcesInfo().join(', ')}\n`);
  // Mocha sets the status once more, to the number of failed tests.
  process.once('exit', () => {
    process.exitCode = 1;
  });
  process.exit();
}
