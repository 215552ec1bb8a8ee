/**
 * A process with one browser in use and one in the pool, in the given directory. Prints a line when it is ready and
 * runs until it is killed.
 */
import { launch, startDriver } from './browser.ts';

const [, , runtimeDir = ''] = process.argv;
const driver = await startDriver({ runtimeDir, poolSize: 1 });
await launch(driver);
process.stdout.write('started\n');
setInterval(() => driver, 60_000);
