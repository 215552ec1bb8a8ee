/** A process with a browser in use and one waiting, in the directory it is given; it says so and lives until it is killed. */
import { launch, startDriver } from './browser.ts';

const [, , runtimeDir = ''] = process.argv;
const driver = await startDriver({ runtimeDir, poolSize: 1 });
await launch(driver);
process.stdout.write('started\n');
setInterval(() => driver, 60_000);
